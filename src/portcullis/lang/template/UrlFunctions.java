package portcullis.lang.template;

import java.util.Map;
import portcullis.lang.value.ValueException;

/** sprig's functions for URLs. */
final class UrlFunctions {
  static final Map<String, Function> ALL = new FunctionSet()
      .with("urlParse", a -> parts(UrlText.read(a.text(0))), Param.TEXT)
      .with("urlJoin", a -> Item.of(joined(a.dict(0))), Param.DICT)
      .functions();

  private UrlFunctions() {}

  private static Item parts(UrlText url) {
    Dict out = Dict.empty();
    out.put("scheme", Item.of(url.scheme()));
    out.put("host", Item.of(url.host()));
    out.put("hostname", Item.of(url.hostname()));
    out.put("path", Item.of(url.path()));
    out.put("query", Item.of(url.query()));
    out.put("opaque", Item.of(url.opaque()));
    out.put("fragment", Item.of(url.fragment()));
    out.put("userinfo", Item.of(url.user().text()));
    return out;
  }

  private static String joined(Dict parts) throws ValueException {
    String user = part(parts, "userinfo");
    String path = part(parts, "path");
    return new UrlText(part(parts, "scheme"), part(parts, "opaque"), UrlText.user(user, !user.isEmpty()),
        part(parts, "host"),
        path, "", part(parts, "query"), false, part(parts, "fragment")).text();
  }

  private static String part(Dict parts, String name) throws ValueException {
    if (!parts.has(name)) {
      return "";
    }
    if (parts.get(name) instanceof Item.Text(String text)) {
      return text;
    }
    throw new ValueException("`" + name + "` must be a string, not " + Types.name(parts.get(name)));
  }
}
