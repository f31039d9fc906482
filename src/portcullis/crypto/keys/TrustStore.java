package portcullis.crypto.keys;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The certificates that are trusted as they stand; immutable. */
public record TrustStore(List<X509Certificate> certificates) {
  private static final String CERTIFICATE = "CERTIFICATE";

  public TrustStore {
    certificates = List.copyOf(certificates);
  }

  /** Reads a PEM file that has certificates only. */
  public static TrustStore read(Path file) throws KeyMaterialException {
    try {
      return parse(KeyFile.text(file));
    } catch (KeyMaterialException error) {
      throw error.in("trust store `" + file + "`");
    }
  }

  /** Reads certificates from a string; errors do not name a file. */
  public static TrustStore parse(String pem) throws KeyMaterialException {
    List<X509Certificate> certificates = new ArrayList<>();
    for (PemBlock block : PemReader.blocks(pem)) {
      if (!block.label().equals(CERTIFICATE)) {
        throw new KeyMaterialException(
            block.place() + ": not allowed in a trust store, allowed is `" + CERTIFICATE + "` only");
      }
      certificates.add(Certificates.read(block));
    }
    if (certificates.isEmpty()) {
      throw new KeyMaterialException(
          "it holds no certificate, expected at least one `-----BEGIN " + CERTIFICATE + "-----`");
    }
    return new TrustStore(certificates);
  }

  /** Returns the certificates that the host trusts. Reading them takes some 100 ms: keep the result. */
  public static TrustStore ofSystem() throws KeyMaterialException {
    return SystemTrust.read(System.getenv()).store();
  }

  /**
   * Whether the first certificate of the chain, each issued by the next, leads to a trusted one and is for signatures.
   *
   * @throws KeyMaterialException saying what is wrong where it does not
   */
  public void check(List<X509Certificate> chain, Instant now) throws KeyMaterialException {
    check(chain, RevocationLists.NONE, now);
  }

  private void check(List<X509Certificate> chain, RevocationLists revocations, Instant now)
      throws KeyMaterialException {
    if (chain.isEmpty()) {
      throw new KeyMaterialException("there is no certificate");
    }
    if (!KeyEntry.allowsSigning(chain.getFirst())) {
      throw new KeyMaterialException(
          Certificates.name(chain.getFirst()) + " is not for digital signatures (key usage)");
    }
    for (int i = 0; i < chain.size(); i++) {
      if (certificates.contains(chain.get(i))) {
        Certificates.check(chain.subList(0, i), chain.get(i), revocations, now);
        return;
      }
    }
    Certificates.check(chain, anchor(chain.getLast()), revocations, now);
  }

  /**
   * Whether the chain is that of a client: as {@link #check} says, not of an authority, for client authentication and
   * not revoked.
   *
   * @param revocations the current list of each issuer in the chain has to be among them; empty for no check
   */
  public void checkClient(List<X509Certificate> chain, RevocationLists revocations, Instant now)
      throws KeyMaterialException {
    check(chain, revocations, now);
    X509Certificate own = chain.getFirst();
    if (own.getBasicConstraints() >= 0) {
      throw new KeyMaterialException(Certificates.name(own) + " is that of an authority, not of a client");
    }
    if (!Certificates.isForClients(own)) {
      throw new KeyMaterialException(
          Certificates.name(own) + " is not for client authentication (extended key usage)");
    }
  }

  private X509Certificate anchor(X509Certificate last) throws KeyMaterialException {
    return Certificates.issuer(last, certificates)
        .orElseThrow(
            () -> new KeyMaterialException(Certificates.name(last) + " is issued by none of the trusted ones"));
  }
}
