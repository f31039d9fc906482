package portcullis.http.message;

import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A request as it arrived, with framing, target, host and fields checked; what it says of itself is not trusted yet.
 *
 * @param target of the request line
 * @param host of {@code Host}
 * @param peer the other end of the connection
 * @param client the peer's address as a string
 * @param secure whether the connection is TLS
 * @param trailers returns the trailer section once the body has been read to its end
 * @param certificates returns the chain that the peer has presented in TLS; empty for none
 */
public record ValidRequest(String method, Target target, Authority host, Fields fields, InetAddress peer, String client,
    boolean secure, Content content, Supplier<Fields> trailers, Supplier<List<X509Certificate>> certificates)
    implements IncomingRequest {
  /** A request of a peer that has presented no certificate. */
  public ValidRequest(String method, Target target, Authority host, Fields fields, InetAddress peer, String client,
      boolean secure, Content content, Supplier<Fields> trailers) {
    this(method, target, host, fields, peer, client, secure, content, trailers, List::of);
  }

  /**
   * A request as a client would send it.
   *
   * @param url absolute, {@code http} or {@code https}; names the host and whether the connection is TLS
   * @throws ResponseStatusException where no such request would be accepted
   */
  public static ValidRequest of(String method, String url, Fields fields, InetAddress peer, byte[] body)
      throws ResponseStatusException {
    boolean secure = url.startsWith("https://");
    if (!secure && !url.startsWith("http://")) {
      throw ResponseStatusException.badRequest("the URL is not absolute, like `https://app.example/orders/42`");
    }
    if (!Grammar.isToken(method)) {
      throw ResponseStatusException.badRequest("the method is not a token");
    }
    int start = url.indexOf("://") + 3;
    int end = start;
    while (end < url.length() && "/?#".indexOf(url.charAt(end)) < 0) {
      end++;
    }
    Authority host = Authority.parse(url.substring(start, end))
        .orElseThrow(() -> ResponseStatusException.badRequest("the host of the URL is invalid"));
    String target = url.startsWith("/", end) ? url.substring(end) : "/" + url.substring(end);
    return new ValidRequest(method, Target.read(target, method, Optional.of(host)), host,
        fields.without("Host").with("Host", host.toString()), peer, AddressText.of(peer), secure, Content.of(body),
        () -> Fields.NONE);
  }

  /** Returns this request with other fields. */
  public ValidRequest with(Fields other) {
    return new ValidRequest(method, target, host, other, peer, client, secure, content, trailers, certificates);
  }

  /** {@code https} or {@code http}, as the connection is. */
  public String scheme() {
    return secure ? "https" : "http";
  }
}
