package portcullis.http.message;

import java.net.InetAddress;
import java.util.function.Supplier;

/**
 * A request as it arrived, its framing, target, host and fields checked, nothing in it believed yet.
 *
 * @param target as the request line names it
 * @param host as {@code Host} names it
 * @param peer the other end of the connection
 * @param client the peer's address as a text
 * @param secure whether the connection is TLS
 * @param trailers tells the trailer section once the body has been read to its end; the stock server has none
 */
public record Incoming(String method, Target target, Authority host, Fields fields, InetAddress peer, String client,
    boolean secure, Content content, Supplier<Fields> trailers) implements Arrival {
  /** {@code https} or {@code http}, as the connection is. */
  public String scheme() {
    return secure ? "https" : "http";
  }
}
