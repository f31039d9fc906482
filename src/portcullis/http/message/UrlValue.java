package portcullis.http.message;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import portcullis.lang.template.UrlText;
import portcullis.lang.value.Facade;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/**
 * A URL that a template has made of the one of the request, with the members and methods of Go's net/url. Immutable.
 */
record UrlValue(UrlText url) implements Facade {
  static final Set<String> MEMBERS = Set.of("Scheme", "Opaque", "User", "Host", "Path", "RawPath", "OmitHost",
      "ForceQuery",
      "RawQuery", "Fragment", "RawFragment");
  static final Set<String> FUNCTIONS = Set.of("String", "Query", "Hostname", "Port", "EscapedPath",
      "RequestURI", "IsAbs",
      "Redacted", "JoinPath", "Parse", "ResolveReference", "EscapedFragment");

  @Override
  public String name() {
    return "URL";
  }

  @Override
  public Set<String> members() {
    return MEMBERS;
  }

  @Override
  public Set<String> functions() {
    return FUNCTIONS;
  }

  @Override
  public Optional<Value> member(String name) {
    return switch (name) {
      case "Scheme" -> Optional.of(Value.of(url.scheme()));
      case "Opaque" -> Optional.of(Value.of(url.opaque()));
      case "User" -> Optional.of(new UserInfo(url.user()));
      case "Host" -> Optional.of(Value.of(url.host()));
      case "Path" -> Optional.of(Value.of(url.path()));
      case "RawPath" -> Optional.of(Value.of(url.rawPath()));
      case "OmitHost" -> Optional.of(Value.FALSE);
      case "ForceQuery" -> Optional.of(Value.of(url.emptyQuery()));
      case "RawQuery" -> Optional.of(Value.of(url.query()));
      case "Fragment" -> Optional.of(Value.of(url.fragment()));
      case "RawFragment" -> Optional.of(Value.EMPTY_STRING);
      case "Query" -> Optional.of(query());
      default -> Optional.empty();
    };
  }

  private Value query() {
    return new QueryValues(BodyFormat.values(Query.parameters(Grammar.wire(url.query()))));
  }

  @Override
  public Value call(String function, List<Value> arguments) throws ValueException {
    return switch (function) {
      case "JoinPath" -> joined(Arguments.texts(function, arguments));
      case "Parse" -> resolved(UrlText.read(Arguments.text(function, arguments)));
      case "ResolveReference" -> resolved(reference(arguments));
      default -> {
        Arguments.none(function, arguments);
        yield called(function);
      }
    };
  }

  private Value called(String function) {
    return switch (function) {
      case "Query" -> query();
      case "Hostname" -> Value.of(url.hostname());
      case "Port" -> Value.of(port());
      case "EscapedPath" -> Value.of(url.escapedPath());
      case "RequestURI" -> Value.of(requestUri());
      case "IsAbs" -> Value.of(!url.scheme().isEmpty());
      case "Redacted" -> Value.of(redacted());
      case "EscapedFragment" -> Value.of(url.escapedFragment());
      default -> Value.of(text());
    };
  }

  private String port() {
    int colon = url.host().lastIndexOf(':');
    return colon > url.host().indexOf(']') ? url.host().substring(colon + 1) : "";
  }

  private String requestUri() {
    String path = url.opaque().isEmpty() ? url.escapedPath() : url.opaque();
    return (path.isEmpty() ? "/" : path) + (url.emptyQuery() || !url.query().isEmpty() ? "?" + url.query() : "");
  }

  private String redacted() {
    UrlText.User user = url.user();
    return user.hasPassword() ? with(new UrlText.User(true, user.name(), true, "xxxxx")).text() : text();
  }

  private UrlText with(UrlText.User user) {
    return new UrlText(url.scheme(), url.opaque(), user, url.host(), url.path(), url.rawPath(), url.query(),
        url.emptyQuery(),
        url.fragment());
  }

  private static UrlText reference(List<Value> arguments) throws ValueException {
    if (arguments.size() == 1 && arguments.getFirst() instanceof UrlValue(UrlText other)) {
      return other;
    }
    if (arguments.size() == 1 && arguments.getFirst() instanceof RequestUrl other) {
      return other.whole().url;
    }
    throw new ValueException("`ResolveReference` takes one URL");
  }

  /** Adds segments and resolves dot segments; a path that would have a broken escape stays as it was. */
  private UrlValue joined(List<String> more) {
    List<String> all = new ArrayList<>(List.of(url.escapedPath()));
    all.addAll(more);
    String path = cleaned(String.join("/", all));
    try {
      return new UrlValue(url.withPath(all.getLast().endsWith("/") && !path.endsWith("/") ? path + "/" : path));
    } catch (ValueException _) {
      return this;
    }
  }

  /** As {@code path.Clean} of Go, of an absolute path. */
  private static String cleaned(String path) {
    List<String> kept = new ArrayList<>();
    for (String segment : path.split("/", -1)) {
      if (segment.equals("..")) {
        if (!kept.isEmpty()) {
          kept.removeLast();
        }
      } else if (!segment.isEmpty() && !segment.equals(".")) {
        kept.add(segment);
      }
    }
    return "/" + String.join("/", kept);
  }

  /** A reference as seen from this URL (RFC 3986, 5.2). */
  private UrlValue resolved(UrlText r) throws ValueException {
    String scheme = r.scheme().isEmpty() ? url.scheme() : r.scheme();
    if (!r.scheme().isEmpty() || !r.host().isEmpty() || r.user().present()) {
      UrlText whole = new UrlText(scheme, r.opaque(), r.user(), r.host(), "", "", r.query(), r.emptyQuery(),
          r.fragment());
      return new UrlValue(whole.withPath(withoutDots(r.escapedPath())));
    }
    boolean same = r.path().isEmpty() && !r.emptyQuery() && r.query().isEmpty();
    String fragment = same && r.fragment().isEmpty() ? url.fragment() : r.fragment();
    UrlText bare = new UrlText(scheme, r.path().isEmpty() ? url.opaque() : "", url.user(), url.host(), "", "",
        same ? url.query() : r.query(),
        r.emptyQuery(), fragment);
    String path = r.escapedPath();
    String base = url.escapedPath();
    String full = path.isEmpty() ? base
        : path.startsWith("/") ? path : base.substring(0, base.lastIndexOf('/') + 1) + path;
    return new UrlValue(bare.withPath(withoutDots(full)));
  }

  private static String withoutDots(String path) {
    if (path.isEmpty()) {
      return "";
    }
    List<String> kept = new ArrayList<>();
    String[] segments = path.split("/", -1);
    for (int i = path.startsWith("/") ? 1 : 0; i < segments.length; i++) {
      if (!segments[i].equals(".") && !segments[i].equals("..")) {
        kept.add(segments[i]);
      } else if (segments[i].equals("..") && !kept.isEmpty()) {
        kept.removeLast();
      }
    }
    String last = segments[segments.length - 1];
    String text = "/" + String.join("/", kept);
    return (last.equals(".") || last.equals("..")) && !text.endsWith("/") ? text + "/" : text;
  }

  @Override
  public String text() {
    return url.text();
  }

  /** The user part of a URL; its password is not read. */
  record UserInfo(UrlText.User user) implements Facade {
    @Override
    public String name() {
      return "Userinfo";
    }

    @Override
    public Set<String> members() {
      return Set.of();
    }

    @Override
    public Set<String> functions() {
      return Set.of("Username", "String");
    }

    @Override
    public Optional<Value> member(String name) {
      return Optional.empty();
    }

    @Override
    public Value call(String function, List<Value> arguments) throws ValueException {
      Arguments.none(function, arguments);
      return Value.of(function.equals("Username") ? user.name() : text());
    }

    @Override
    public boolean isNothing() {
      return !user.present();
    }

    @Override
    public String text() {
      return user.present() ? user.text() : "";
    }
  }
}
