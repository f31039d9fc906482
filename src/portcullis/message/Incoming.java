package portcullis.message;

import com.sun.net.httpserver.HttpExchange;
import java.net.InetAddress;
import java.util.OptionalLong;

/**
 * A request as it arrived, its framing, target, host and fields checked, nothing in it believed yet.
 *
 * @param target as the request line names it
 * @param host as {@code Host} names it
 * @param peer the other end of the connection
 * @param secure whether the connection is TLS
 * @param length of the body; empty where only its end will tell
 */
public record Incoming(HttpExchange exchange, String method, Target target, Authority host, Fields fields, InetAddress peer,
    boolean secure, OptionalLong length) implements Arrival {
  /** {@code https} or {@code http}, as the connection is. */
  public String scheme() {
    return secure ? "https" : "http";
  }

  /** The peer's address as a text. */
  public String client() {
    return AddressText.of(peer);
  }

  public Content content() {
    return Content.of(exchange.getRequestBody(), length);
  }

  /** The trailer section; known once the body has been read to its end. The stock server has none. */
  public Fields trailers() {
    return exchange instanceof WireExchange wire ? wire.trailers() : Fields.NONE;
  }
}
