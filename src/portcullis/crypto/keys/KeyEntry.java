package portcullis.crypto.keys;

import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A private key with all that is published of it; immutable.
 *
 * @param id the JWS key id
 * @param chain its certificate and that one's issuers up to the last one known, checked when the entry was read; empty
 * where the
 *     file has none for this key
 * @param algorithm the default for signatures with the key
 * @param fingerprint the SHA-256 of the public key and the certificates: what an id stands for, which a file may change
 */
public record KeyEntry(String id, PrivateKey privateKey, PublicKey publicKey, List<X509Certificate> chain,
    Algorithm algorithm,
    String fingerprint) {
  private static final int DIGITAL_SIGNATURE = 0;

  public KeyEntry {
    chain = List.copyOf(chain);
  }

  public KeyEntry(String id, PrivateKey privateKey, PublicKey publicKey, List<X509Certificate> chain,
      Algorithm algorithm) {
    this(id, privateKey, publicKey, chain, algorithm, Certificates.fingerprint(publicKey, chain));
  }

  /**
   * @throws KeyMaterialException where a certificate is there and says that its key is not for signatures (RFC 5280,
   * 4.2.1.3)
   */
  public void requireForSigning() throws KeyMaterialException {
    if (!chain.isEmpty() && !allowsSigning(chain.getFirst())) {
      throw new KeyMaterialException("key `" + id + "`: its certificate is not for digital signatures (key usage)");
    }
  }

  /** @throws KeyMaterialException if there is no certificate, or one that is not for signatures */
  public void requireForTls() throws KeyMaterialException {
    if (chain.isEmpty()) {
      throw new KeyMaterialException("key `" + id + "` is not fit for TLS: no certificate in the file belongs to it");
    }
    requireForSigning();
  }

  /** Returns when its certificate expires; empty if it has none. */
  public Optional<Instant> expiry() {
    return chain.stream().findFirst().map(certificate -> certificate.getNotAfter().toInstant());
  }

  /** Returns the same key with another algorithm for signatures. */
  public KeyEntry signing(Algorithm other) {
    return new KeyEntry(id, privateKey, publicKey, chain, other, fingerprint);
  }

  static boolean allowsSigning(X509Certificate certificate) {
    boolean[] usage = certificate.getKeyUsage();
    return usage == null || usage[DIGITAL_SIGNATURE];
  }

  /** Returns a description without the key itself. */
  @Override
  public String toString() {
    return id + " (" + algorithm.text() + ")";
  }
}
