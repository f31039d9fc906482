package portcullis.http.message;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What is known of the client's certificate, none of it verified; immutable. Of a trusted proxy's connection nothing is
 * known: its certificate is not that of the client.
 *
 * @param tls returns the chain that the client has presented in TLS, its own certificate first; empty for none
 * @param reported the certificate that Envoy reports in a check, as PEM with percent encoding; empty for none
 * @param proxy whether the peer is a trusted proxy, whose header fields may contain the client's certificate
 */
public record PeerCertificates(Supplier<List<X509Certificate>> tls, Optional<String> reported, boolean proxy) {
  /** The certificates of a request without any, from a client that is not a trusted proxy. */
  public static final PeerCertificates NONE = new PeerCertificates(List::of, Optional.empty(), false);

  /** Returns those of a connection. */
  static PeerCertificates of(Supplier<List<X509Certificate>> tls, boolean proxy) {
    return new PeerCertificates(proxy ? List::of : tls, Optional.empty(), proxy);
  }

  /** Returns those that a caller reports, if it is trusted. @param pem empty for none */
  static PeerCertificates reported(String pem, boolean trusted) {
    return new PeerCertificates(List::of, Optional.of(pem).filter(text -> trusted && !text.isEmpty()), trusted);
  }

  /** Returns a copy that does not refer to the connection. */
  PeerCertificates detached() {
    List<X509Certificate> chain = tls.get();
    return chain.isEmpty() && reported.isEmpty() && !proxy ? NONE
        : new PeerCertificates(() -> chain, reported, proxy);
  }
}
