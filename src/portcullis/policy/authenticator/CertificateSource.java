package portcullis.policy.authenticator;

import java.security.cert.X509Certificate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.crypto.keys.CertificateChains;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.http.message.PeerCertificates;
import portcullis.http.message.Request;
import portcullis.policy.mechanism.Failure;

/** Where the certificate of a client comes from. */
enum CertificateSource {
  TLS("tls"), ENVOY("x-forwarded-client-cert"), STANDARD("client-cert");

  static final String KEY = "certificate_source";

  private final String text;

  CertificateSource(String text) {
    this.text = text;
  }

  /** Returns the key {@code certificate_source}. */
  static Key<CertificateSource> key() {
    SequencedMap<String, CertificateSource> all = new LinkedHashMap<>();
    for (CertificateSource source : values()) {
      all.put(source.text, source);
    }
    return Key.withDefault(KEY, Decoders.choice(all), TLS,
        "where the certificate is: `tls` for the connection of the client (or what Envoy reports of it in a check), "
            + "otherwise a header field of a trusted proxy");
  }

  /**
   * Returns the chain that the client has presented, unverified; never empty.
   *
   * @throws Failure if there is none, or none that can be read
   */
  List<X509Certificate> chain(Request request) throws Failure {
    PeerCertificates peer = request.certificates();
    try {
      List<X509Certificate> chain = switch (this) {
        case TLS -> peer.reported().isPresent()
            ? CertificateChains.ofPem(CertificateFields.percentDecoded(peer.reported().get()))
            : CertificateChains.bounded(peer.tls().get());
        case ENVOY -> peer.proxy() ? CertificateFields.envoy(request.fields()) : List.of();
        case STANDARD -> peer.proxy() ? CertificateFields.standard(request.fields()) : List.of();
      };
      if (!chain.isEmpty()) {
        return chain;
      }
    } catch (KeyMaterialException e) {
      throw new Failure.Authentication("the client certificate cannot be read: " + e.getMessage());
    }
    throw new Failure.Authentication("no client certificate" + switch (this) {
      case TLS -> peer.proxy() ? ": the peer is a trusted proxy, so it has to be named where it forwards it "
          + "(`certificate_source`)" : "";
      case ENVOY, STANDARD -> peer.proxy() ? ""
          : ": the peer is not a trusted proxy, so its `" + text
              + "` is not used";
    });
  }
}
