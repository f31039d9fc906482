package portcullis.lang.expression;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueFault;

/** Makes {@code Request} of what the golden files say of it: method, URL, captures, headers, body and peer. */
final class CorpusRequest {
  private final Value context;

  private CorpusRequest(Value context) {
    this.context = context;
  }

  static Value of(Value context) {
    return new CorpusRequest(context).request();
  }

  private Value request() {
    Value body = body();
    return new TestFacade("Request",
        Map.of("Method", Value.of(Corpora.text(context, "Method")), "URL", url(), "ClientIPAddresses", addresses()),
        Map.of("Header", a -> Value.of(header(TestFacade.argument(a))), "Cookie",
            a -> Value.of(cookie(TestFacade.argument(a))),
            "Body", _ -> body));
  }

  private Value url() {
    String written = Corpora.text(context, "URL");
    String scheme = written.substring(0, written.indexOf("://"));
    String rest = written.substring(scheme.length() + 3);
    String host = rest.substring(0, hostEnd(rest)).toLowerCase(Locale.ROOT);
    String target = rest.substring(host.length());
    int mark = target.indexOf('?');
    String rawPath = mark < 0 ? target : target.substring(0, mark);
    String query = mark < 0 ? "" : target.substring(mark + 1);
    int colon = host.lastIndexOf(':');
    Value captures = Corpora.member(context, "Captures").orElse(Value.Dict.EMPTY);
    return new TestFacade("URL",
        Map.of("Scheme", Value.of(scheme), "Host", Value.of(host), "Path", Value.of(path(rawPath)), "RawPath",
            Value.of(rawPath),
            "RawQuery", Value.of(query), "Fragment", Value.EMPTY_TEXT, "Captures", captures),
        Map.of("Hostname", _ -> Value.of(colon < 0 ? host : host.substring(0, colon)),
            "Port", _ -> Value.of(colon < 0 ? "" : host.substring(colon + 1)),
            "String", _ -> Value.of(scheme + "://" + host + target), "Query", _ -> parameters(query)));
  }

  private static int hostEnd(String rest) {
    int end = 0;
    while (end < rest.length() && rest.charAt(end) != '/' && rest.charAt(end) != '?') {
      end++;
    }
    return end;
  }

  private static String path(String raw) {
    Deque<String> parts = new ArrayDeque<>();
    for (String part : decoded(raw.replace("+", "%2B")).split("/")) {
      if (part.equals("..")) {
        parts.pollLast();
      } else if (!part.isEmpty() && !part.equals(".")) {
        parts.add(part);
      }
    }
    return "/" + String.join("/", parts);
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  private static Value parameters(String text) {
    Map<String, List<Value>> all = new LinkedHashMap<>();
    for (String pair : text.split("&")) {
      if (!pair.isEmpty() && !pair.contains(";") && !pair.matches(".*%(?![0-9a-fA-F]{2}).*")) {
        int equals = pair.indexOf('=');
        String name = equals < 0 ? pair : pair.substring(0, equals);
        all.computeIfAbsent(decoded(name), _ -> new ArrayList<>())
            .add(Value.of(equals < 0 ? "" : decoded(pair.substring(equals + 1))));
      }
    }
    Map<String, Value> out = new LinkedHashMap<>();
    all.forEach((name, values) -> out.put(name, new Value.Array(values)));
    return new Value.Dict(out);
  }

  private String header(String name) {
    List<String> found = new ArrayList<>();
    for (Value line : Corpora.items(context, "Headers")) {
      List<Value> pair = ((Value.Array) line).items();
      if (((Value.Text) pair.getFirst()).value().equalsIgnoreCase(name)) {
        found.add(((Value.Text) pair.getLast()).value());
      }
    }
    return String.join(",", found);
  }

  private String cookie(String name) {
    for (String part : header("Cookie").split("; ")) {
      if (part.startsWith(name + "=")) {
        return part.substring(name.length() + 1).replace("\"", "");
      }
    }
    return "";
  }

  private Value addresses() {
    List<Value> all = new ArrayList<>();
    for (String address : header("X-Forwarded-For").split(", ")) {
      if (!address.isEmpty()) {
        all.add(Value.of(address));
      }
    }
    String peer = Corpora.text(context, "Remote");
    if (!peer.isEmpty()) {
      all.add(Value.of(peer.substring(0, peer.lastIndexOf(':'))));
    }
    return new Value.Array(all);
  }

  private Value body() {
    String text = Corpora.text(context, "Body");
    String type = header("Content-Type");
    if (type.contains("json")) {
      try {
        return Json.read(text);
      } catch (ValueFault e) {
        return Value.of(text);
      }
    }
    if (type.contains("yaml")) {
      return plain(new Yaml(new SafeConstructor(new LoaderOptions())).load(text));
    }
    return type.contains("form-urlencoded") ? parameters(text) : Value.of(text);
  }

  private static Value plain(Object object) {
    return switch (object) {
      case null -> Value.NULL;
      case Boolean b -> Value.of(b);
      case Integer i -> Value.of(i.longValue());
      case Double d -> Value.of(d);
      case List<?> list -> new Value.Array(list.stream().map(CorpusRequest::plain).toList());
      case Map<?, ?> map -> {
        Map<String, Value> members = new LinkedHashMap<>();
        map.forEach((key, value) -> members.put(key.toString(), plain(value)));
        yield new Value.Dict(members);
      }
      default -> Value.of(object.toString());
    };
  }
}
