package portcullis.lang.template;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import portcullis.lang.value.Value;

/** Makes {@code Request.URL} and its query of a URL of the golden files. */
final class CorpusUrl {
  private CorpusUrl() {}

  static Value of(String written, String host, Value captures) {
    String scheme = written.substring(0, written.indexOf("://"));
    String target = written.substring(scheme.length() + 3 + host.length());
    int mark = target.indexOf('?');
    String query = mark < 0 ? "" : target.substring(mark);
    return of(scheme, host, normal(mark < 0 ? target : target.substring(0, mark)), query, captures);
  }

  private static Value of(String scheme, String host, String rawPath, String query, Value captures) {
    String whole = scheme + "://" + host + rawPath + query;
    int colon = host.lastIndexOf(':');
    Map<String, Value> members = new LinkedHashMap<>();
    members.put("Scheme", Value.of(scheme));
    members.put("Host", Value.of(host));
    members.put("Path", Value.of(decoded(rawPath.replace("+", "%2B"))));
    members.put("RawPath", Value.of(rawPath));
    members.put("RawQuery", Value.of(query.isEmpty() ? "" : query.substring(1)));
    members.put("Fragment", Value.EMPTY_TEXT);
    members.put("User", Value.EMPTY_TEXT);
    members.put("Opaque", Value.EMPTY_TEXT);
    members.put("ForceQuery", Value.FALSE);
    members.put("Captures", captures);
    Map<String, StubFacade.Code> code = new LinkedHashMap<>();
    code.put("String", StubFacade.answer(Value.of(whole)));
    code.put("Redacted", StubFacade.answer(Value.of(whole)));
    code.put("IsAbs", StubFacade.answer(Value.TRUE));
    code.put("EscapedPath", StubFacade.answer(Value.of(rawPath)));
    code.put("RequestURI", StubFacade.answer(Value.of(rawPath + query)));
    code.put("Hostname", StubFacade.answer(Value.of(colon < 0 ? host : host.substring(0, colon))));
    code.put("Port", StubFacade.answer(Value.of(colon < 0 ? "" : host.substring(colon + 1))));
    code.put("Query", StubFacade.answer(query(query.isEmpty() ? "" : query.substring(1))));
    code.put("JoinPath", a -> of(scheme, host, rawPath + "/" + StubFacade.argument(a), query, captures));
    return new StubFacade("URL", members, code, whole);
  }

  private static String normal(String path) {
    List<String> parts = new ArrayList<>();
    for (String part : path.split("/")) {
      if (part.equals("..") && !parts.isEmpty()) {
        parts.removeLast();
      } else if (!part.isEmpty() && !part.equals(".")) {
        parts.add(part);
      }
    }
    return "/" + String.join("/", parts);
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  static Value.Dict parameters(String text) {
    Map<String, List<Value>> all = new LinkedHashMap<>();
    for (String pair : text.split("&")) {
      if (!pair.isEmpty() && !pair.contains(";") && !pair.matches(".*%(?![0-9a-fA-F]{2}).*")) {
        int equals = pair.indexOf('=');
        String name = equals < 0 ? pair : pair.substring(0, equals);
        all.computeIfAbsent(decoded(name), _ -> new ArrayList<>())
            .add(Value.of(equals < 0 ? "" : decoded(pair.substring(equals + 1))));
      }
    }
    Map<String, Value> out = new TreeMap<>();
    all.forEach((name, values) -> out.put(name, new Value.Array(values)));
    return new Value.Dict(out);
  }

  private static Value query(String text) {
    Value.Dict all = parameters(text);
    return new StubFacade("Query", Map.of(), Map.of("Has", a -> Value.of(all.get(StubFacade.argument(a)).isPresent()),
        "Get", a -> values(all, StubFacade.argument(a)).stream().findFirst().orElse(Value.EMPTY_TEXT),
        "Encode", StubFacade.answer(Value.of(all.members().keySet().stream().flatMap(name -> values(all, name).stream()
            .map(v -> encoded(name) + "=" + encoded(((Value.Text) v).value()))).collect(Collectors.joining("&"))))),
        all.members().keySet().stream()
            .map(name -> name + ":" + values(all, name).stream().map(v -> ((Value.Text) v).value())
                .collect(Collectors.joining(" ", "[", "]")))
            .collect(Collectors.joining(" ", "map[", "]")),
        Optional.of(all));
  }

  private static List<Value> values(Value.Dict all, String name) {
    return all.get(name).map(v -> ((Value.Array) v).items()).orElse(List.of());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
