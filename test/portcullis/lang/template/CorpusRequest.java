package portcullis.lang.template;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueFault;

/** Makes {@code Request} of what the golden files say of it: method, URL, captures, headers, body and peer. */
final class CorpusRequest {
  private final Value.Dict context;
  private final String host;
  private final Map<String, String> headers = new LinkedHashMap<>();

  private CorpusRequest(Value.Dict context) {
    this.context = context;
    this.host = text("URL").replaceFirst("^[a-z]+://", "").replaceFirst("/.*", "").toLowerCase(Locale.ROOT);
    context.get("Headers").ifPresent(lines -> ((Value.Array) lines).items().forEach(this::header));
    headers.put("Host", host);
  }

  static Value of(Value.Dict context) {
    return new CorpusRequest(context).request();
  }

  private String text(String name) {
    return context.get(name).map(v -> ((Value.Text) v).value()).orElse("");
  }

  private void header(Value line) {
    List<Value> pair = ((Value.Array) line).items();
    String name = ((Value.Text) pair.getFirst()).value();
    String titled = headers.keySet().stream().filter(name::equalsIgnoreCase).findFirst().orElse(titled(name));
    headers.merge(titled, ((Value.Text) pair.getLast()).value(), (a, b) -> a + "," + b);
  }

  private static String titled(String name) {
    StringBuilder out = new StringBuilder();
    for (String part : name.split("-")) {
      out.append(out.isEmpty() ? "" : "-").append(part.substring(0, 1).toUpperCase(Locale.ROOT))
          .append(part.substring(1));
    }
    return out.toString();
  }

  private Value request() {
    Value addresses = Value.Array.ofTexts(addresses());
    return new StubFacade("Request",
        Map.of("Method", Value.of(text("Method")), "URL", CorpusUrl.of(text("URL"), host, captures()),
            "ClientIPAddresses", addresses),
        Map.of("Header", a -> Value.of(header(StubFacade.argument(a))),
            "Headers", StubFacade.answer(Value.Dict.ofTexts(headers)), "Cookie",
            a -> Value.of(cookie(StubFacade.argument(a))),
            "Body", StubFacade.answer(body())),
        "&{request}", Optional.empty());
  }

  private Value captures() {
    Map<String, String> out = new LinkedHashMap<>();
    context.get("Captures")
        .ifPresent(c -> ((Value.Dict) c).members().forEach((k, v) -> out.put(k, ((Value.Text) v).value())));
    return Value.Dict.ofTexts(out);
  }

  private String header(String name) {
    return headers.entrySet().stream().filter(h -> h.getKey().equalsIgnoreCase(name)).map(Map.Entry::getValue)
        .findFirst().orElse("");
  }

  private String cookie(String name) {
    for (String part : header("Cookie").split("; ")) {
      if (part.startsWith(name + "=")) {
        return part.substring(name.length() + 1).replace("\"", "");
      }
    }
    return "";
  }

  private List<String> addresses() {
    List<String> all = new ArrayList<>();
    for (String address : header("X-Forwarded-For").split(", ")) {
      if (!address.isEmpty()) {
        all.add(address);
      }
    }
    String peer = text("Remote");
    if (!peer.isEmpty()) {
      all.add(peer.substring(0, peer.lastIndexOf(':')));
    }
    return all;
  }

  private Value body() {
    String type = header("Content-Type");
    if (type.contains("json")) {
      try {
        return Json.read(text("Body"));
      } catch (ValueFault _) {
        return Value.of(text("Body"));
      }
    }
    return type.contains("form-urlencoded") ? CorpusUrl.parameters(text("Body")) : Value.of(text("Body"));
  }
}
