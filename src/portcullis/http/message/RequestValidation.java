package portcullis.http.message;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsExchange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What every request must be before it is judged. Of the stock server's exchanges it also checks what that server lets
 * through: control characters, contradictory framing, odd versions. A body in chunks ends the connection there, as the
 * stock server may take what follows it for a request.
 */
final class RequestValidation {
  /** No name of a host can be this one (RFC 6761, 6.4). */
  private static final Authority INVALID = Authority.parse("invalid").orElseThrow();

  private RequestValidation() {}

  /** @param anyHost whether a host that is none is taken for {@code invalid} */
  static Arrival check(HttpExchange exchange, boolean anyHost) {
    try {
      return exchange instanceof WireExchange wire
          ? incoming(exchange, wire.target(), wire.fields(), wire.length(), anyHost)
          : stock(exchange, anyHost);
    } catch (Refusal refusal) {
      return new Refused(refusal.status(), refusal.getMessage());
    }
  }

  private static Incoming stock(HttpExchange exchange, boolean anyHost) throws Refusal {
    Fields fields = fields(exchange);
    if (fields.has("Transfer-Encoding")) {
      exchange.getResponseHeaders().set("Connection", "close");
    }
    if (!exchange.getProtocol().equals("HTTP/1.1") && !exchange.getProtocol().equals("HTTP/1.0")) {
      throw new Refusal(505, "the version of HTTP is not known");
    }
    for (Field field : fields) {
      if (!Grammar.isToken(field.name()) || !Grammar.isFieldValue(field.value())) {
        throw Refusal.badRequest("a header field has a character that it may not have");
      }
    }
    return incoming(exchange, exchange.getRequestURI().toString(), fields, framing(exchange.getProtocol(), fields),
        anyHost);
  }

  private static Fields fields(HttpExchange exchange) {
    List<Field> lines = new ArrayList<>();
    exchange.getRequestHeaders()
        .forEach((name, values) -> values.forEach(value -> lines.add(new Field(name, Grammar.trimmed(value)))));
    return Fields.of(lines);
  }

  /** One length or one final {@code chunked}, and neither beside the other (RFC 9112, 6.1 to 6.3). */
  private static OptionalLong framing(String protocol, Fields fields) throws Refusal {
    List<String> codings = fields.all("Transfer-Encoding");
    List<String> lengths = fields.all("Content-Length");
    boolean chunked = codings.size() == 1 && codings.getFirst().equalsIgnoreCase("chunked")
        && protocol.equals("HTTP/1.1");
    boolean counted = lengths.size() == 1 && ConnectionFields.isLength(lengths.getFirst());
    if (!codings.isEmpty() && !chunked || !lengths.isEmpty() && !counted || chunked && counted) {
      throw Refusal.badRequest("it is not clear where the request ends");
    }
    return chunked ? OptionalLong.empty() : counted ? ConnectionFields.contentLength(fields) : OptionalLong.of(0);
  }

  private static Incoming incoming(HttpExchange exchange, String rawTarget, Fields fields, OptionalLong length,
      boolean anyHost) throws Refusal {
    String method = exchange.getRequestMethod();
    if (method.equals("CONNECT")) {
      throw new Refusal(405, "CONNECT is not served");
    }
    if (!Grammar.isToken(method)) {
      throw Refusal.badRequest("the method is no token");
    }
    if (fields.count("Host") != 1) {
      throw Refusal.badRequest("there is not exactly one Host");
    }
    Authority host = fields.first("Host").flatMap(Authority::parse)
        .or(() -> anyHost ? Optional.of(INVALID) : Optional.empty())
        .orElseThrow(() -> Refusal.badRequest("Host is no valid host"));
    return new Incoming(method, Target.read(rawTarget, method, host), host, fields,
        exchange.getRemoteAddress().getAddress(), AddressText.ofPeer(exchange), exchange instanceof HttpsExchange,
        Content.of(exchange::getRequestBody, length),
        exchange instanceof WireExchange wire ? wire::trailers : () -> Fields.NONE);
  }
}
