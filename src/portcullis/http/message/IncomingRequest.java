package portcullis.http.message;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsExchange;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLPeerUnverifiedException;

/** A received request: one to which rules can be applied, or one that is rejected before. */
public sealed interface IncomingRequest permits ValidRequest, RejectedRequest {
  /** Stands for the host of a request without a valid one; no host can have this name (RFC 6761, 6.4). */
  Authority INVALID = Authority.parse("invalid").orElseThrow();

  /** Takes the request over from the server, which has checked its head. */
  static IncomingRequest of(HttpExchange exchange) {
    return of(exchange, Optional.empty());
  }

  /**
   * Returns the request like {@link #of}, for a service that serves any host: an invalid host becomes {@code invalid}.
   */
  static IncomingRequest underAnyHost(HttpExchange exchange) {
    return of(exchange, Optional.of(INVALID));
  }

  private static IncomingRequest of(HttpExchange exchange, Optional<Authority> otherwise) {
    WireExchange wire = WireExchange.of(exchange);
    Optional<Authority> host = wire.host().or(() -> otherwise);
    return host.isEmpty() ? new RejectedRequest(400, "there is no valid Host")
        : new ValidRequest(exchange.getRequestMethod(), wire.parsedTarget(), host.get(), wire.fields(),
            exchange.getRemoteAddress().getAddress(), wire.client(), exchange instanceof HttpsExchange,
            Content.of(exchange::getRequestBody, wire.length()), wire::trailers,
            () -> exchange instanceof HttpsExchange secure ? presented(secure) : List.of());
  }

  /** Returns the chain that the peer has presented in TLS; empty for none. */
  private static List<X509Certificate> presented(HttpsExchange exchange) {
    try {
      Certificate[] chain = exchange.getSSLSession().getPeerCertificates();
      return Stream.of(chain).map(X509Certificate.class::cast).toList();
    } catch (SSLPeerUnverifiedException _) {
      return List.of();
    }
  }
}
