package portcullis.policy.endpoint;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import portcullis.http.message.Field;

/** The signature base of a call (RFC 9421, 2.5). */
record SignatureBase(HttpCall call) {
  /**
   * Returns a line for each component and one for the parameters.
   *
   * @param parameters as in {@code Signature-Input}
   */
  byte[] of(List<SignatureComponent> components, String parameters) throws CallFailure {
    StringBuilder out = new StringBuilder();
    for (SignatureComponent component : components) {
      out.append(component.identifier()).append(": ").append(value(component)).append('\n');
    }
    return out.append("\"@signature-params\": ").append(parameters).toString().getBytes(ISO_8859_1);
  }

  private String value(SignatureComponent component) throws CallFailure {
    URI url = call.target();
    return switch (component.name()) {
      case "@method" -> call.method();
      case "@scheme" -> url.getScheme().toLowerCase(Locale.ROOT);
      case "@authority" -> authority();
      case "@target-uri" -> url.getScheme().toLowerCase(Locale.ROOT) + "://" + authority() + path() + query("");
      case "@request-target" -> path() + query("");
      case "@path" -> path();
      case "@query" -> query("?");
      case "@query-param" -> parameter(component.parameter());
      default -> field(component);
    };
  }

  /** Returns the authority in lower case, without the default port of the scheme (RFC 9421, 2.2.3). */
  private String authority() {
    Optional<String> host = call.fields().stream().filter(f -> f.is("Host")).map(Field::value).findFirst();
    RemoteService service = RemoteService.of(call.target());
    return host.map(h -> h.toLowerCase(Locale.ROOT))
        .orElse(service.isUsualPort() ? service.host() : service.host() + ":" + service.port());
  }

  private String path() {
    return call.target().getRawPath().isEmpty() ? "/" : call.target().getRawPath();
  }

  private String query(String none) {
    return Optional.ofNullable(call.target().getRawQuery()).map(query -> "?" + query).orElse(none);
  }

  /** Returns the only value of the query parameter, re-encoded (RFC 9421, 2.2.8). */
  private String parameter(String name) throws CallFailure {
    List<String> values = new ArrayList<>();
    for (String pair : query("?").substring(1).split("&")) {
      String[] parts = pair.split("=", 2);
      if (encoded(parts[0]).equals(name)) {
        values.add(parts.length < 2 ? "" : encoded(parts[1]));
      }
    }
    if (values.size() != 1) {
      throw unsigned("the query has " + (values.isEmpty() ? "no" : "more than one") + " parameter `" + name + "`");
    }
    return values.getFirst();
  }

  private static String encoded(String raw) throws CallFailure {
    try {
      return URLEncoder.encode(URLDecoder.decode(raw, StandardCharsets.UTF_8), StandardCharsets.UTF_8).replace("+",
          "%20");
    } catch (IllegalArgumentException _) {
      throw unsigned("the query is malformed");
    }
  }

  private String field(SignatureComponent component) throws CallFailure {
    List<String> values = new ArrayList<>();
    call.fields().stream().filter(f -> f.is(component.name())).forEach(f -> values.add(f.value().strip()));
    if (values.isEmpty()) {
      values.add(written(component.name()));
    }
    return values.stream().map(v -> component.binary() ? StructuredFields.binary(v.getBytes(ISO_8859_1)) : v)
        .collect(Collectors.joining(", "));
  }

  /** Fields that the HTTP client writes itself. */
  private String written(String name) throws CallFailure {
    return switch (name) {
      case "content-length" -> Integer.toString(call.body().length);
      case "host" -> authority();
      default -> throw unsigned("the call has no field `" + name + "`");
    };
  }

  private static CallFailure unsigned(String why) {
    return new CallFailure.Unauthenticated("failed to sign the call: " + why, false);
  }
}
