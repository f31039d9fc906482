package portcullis.crypto.keys;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;

/** Reads, orders and checks X.509 certificates (RFC 5280). */
final class Certificates {
  private static final String SUBJECT_KEY_ID = "2.5.29.14";
  private static final String AUTHORITY_KEY_ID = "2.5.29.35";
  private static final String CLIENT_AUTHENTICATION = "1.3.6.1.5.5.7.3.2";
  private static final String ANY_PURPOSE = "2.5.29.37.0";
  private static final int KEY_IDENTIFIER = 0x80;

  private Certificates() {}

  static X509Certificate read(PemBlock block) throws KeyMaterialException {
    try {
      return read(block.der());
    } catch (KeyMaterialException error) {
      throw error.in(block.place());
    }
  }

  static X509Certificate read(byte[] der) throws KeyMaterialException {
    try {
      X509Certificate certificate = (X509Certificate) CertificateFactory.getInstance("X.509")
          .generateCertificate(new ByteArrayInputStream(der));
      if (!Arrays.equals(certificate.getEncoded(), der)) {
        throw new KeyMaterialException("something follows the certificate");
      }
      return certificate;
    } catch (CertificateException _) {
      throw new KeyMaterialException("it is not a usable certificate");
    }
  }

  /**
   * Returns the certificate of that key and its issuers as far as the pool has them, checked; empty if the key has no
   * certificate. The last one is trusted: the owner of the file put it there.
   */
  static List<X509Certificate> chain(PublicKey key, List<X509Certificate> pool, Instant now)
      throws KeyMaterialException {
    byte[] encoded = key.getEncoded();
    List<X509Certificate> own = pool.stream().filter(c -> Arrays.equals(c.getPublicKey().getEncoded(), encoded))
        .toList();
    if (own.isEmpty()) {
      return own;
    }
    List<X509Certificate> chain = new ArrayList<>();
    Optional<X509Certificate> next = firstOrAny(own, certificate -> isCurrent(certificate, now));
    while (next.isPresent()) {
      X509Certificate last = next.get();
      chain.add(last);
      next = isSelfIssued(last) ? Optional.empty()
          : issuer(last, pool.stream().filter(c -> !chain.contains(c)).toList());
    }
    check(chain.subList(0, chain.size() - 1), chain.getLast(), now);
    return List.copyOf(chain);
  }

  /**
   * Returns one that really signed it, if there is one: names and key ids may be shared by certificates of several
   * ages.
   */
  static Optional<X509Certificate> issuer(X509Certificate certificate, List<X509Certificate> pool) {
    List<X509Certificate> named = pool.stream().filter(candidate -> namesAsIssuer(certificate, candidate)).toList();
    return firstOrAny(named, candidate -> isSigned(certificate, candidate));
  }

  private static Optional<X509Certificate> firstOrAny(List<X509Certificate> all, Predicate<X509Certificate> wanted) {
    return Stream.concat(all.stream().filter(wanted), all.stream()).findFirst();
  }

  private static boolean namesAsIssuer(X509Certificate certificate, X509Certificate candidate) {
    Optional<String> wanted = authorityKeyId(certificate);
    Optional<String> its = subjectKeyId(candidate);
    return wanted.isPresent() && its.isPresent() ? wanted.equals(its)
        : isSame(certificate.getIssuerX500Principal(), candidate.getSubjectX500Principal());
  }

  /** Compares names: octets first, since comparing them as strings loads tables of Unicode. */
  private static boolean isSame(X500Principal name, X500Principal other) {
    return Arrays.equals(name.getEncoded(), other.getEncoded()) || name.equals(other);
  }

  private static boolean isSelfIssued(X509Certificate certificate) {
    return isSame(certificate.getIssuerX500Principal(), certificate.getSubjectX500Principal())
        && namesAsIssuer(certificate, certificate);
  }

  private static boolean isSigned(X509Certificate certificate, X509Certificate issuer) {
    try {
      certificate.verify(issuer.getPublicKey());
      return true;
    } catch (GeneralSecurityException _) {
      return false;
    }
  }

  private static boolean isCurrent(X509Certificate certificate, Instant now) {
    return !now.isBefore(certificate.getNotBefore().toInstant()) && !now.isAfter(certificate.getNotAfter().toInstant());
  }

  /** Checks the dates of all, and that each signed the one before it, up to the anchor (RFC 5280, 6.1). */
  static void check(List<X509Certificate> path, X509Certificate anchor, Instant now) throws KeyMaterialException {
    check(path, anchor, RevocationLists.NONE, now);
  }

  /** Checks the same, and that no certificate is revoked, unless there are no revocation lists at all. */
  static void check(List<X509Certificate> path, X509Certificate anchor, RevocationLists revocations, Instant now)
      throws KeyMaterialException {
    for (X509Certificate certificate : path) {
      requireCurrent(certificate, now);
    }
    requireCurrent(anchor, now);
    if (!path.isEmpty()) {
      validate(path, anchor, revocations, now);
    }
  }

  private static void requireCurrent(X509Certificate certificate, Instant now) throws KeyMaterialException {
    if (!isCurrent(certificate, now)) {
      Instant from = certificate.getNotBefore().toInstant();
      throw new KeyMaterialException(name(certificate) + (now.isBefore(from) ? " is not valid before " + from
          : " expired at " + certificate.getNotAfter().toInstant()));
    }
  }

  /** Validates the path offline: revocation is checked with these lists only. */
  private static void validate(List<X509Certificate> path, X509Certificate anchor, RevocationLists revocations,
      Instant now)
      throws KeyMaterialException {
    try {
      PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(anchor, null)));
      parameters.setRevocationEnabled(!revocations.isEmpty());
      if (!revocations.isEmpty()) {
        parameters.addCertStore(
            CertStore.getInstance("Collection", new CollectionCertStoreParameters(revocations.lists())));
      }
      parameters.setDate(Date.from(now));
      CertPathValidator.getInstance("PKIX").validate(CertificateFactory.getInstance("X.509").generateCertPath(path),
          parameters);
    } catch (GeneralSecurityException e) {
      int bad = e instanceof CertPathValidatorException invalid ? Math.max(0, invalid.getIndex()) : 0;
      throw new KeyMaterialException(
          name(path.get(bad)) + " does not fit the chain to " + name(anchor) + ": " + e.getMessage());
    }
  }

  /** Returns whether the extended key usage, if there is one, has client authentication or any purpose. */
  static boolean isForClients(X509Certificate certificate) {
    try {
      List<String> purposes = certificate.getExtendedKeyUsage();
      return purposes == null || purposes.contains(CLIENT_AUTHENTICATION) || purposes.contains(ANY_PURPOSE);
    } catch (CertificateParsingException _) {
      return false;
    }
  }

  /** Returns the subject's name for messages. */
  static String name(X509Certificate certificate) {
    return "certificate `" + certificate.getSubjectX500Principal() + "` (serial " + certificate.getSerialNumber() + ")";
  }

  /** Returns the subject key identifier in hexadecimal digits. */
  static Optional<String> subjectKeyId(X509Certificate certificate) {
    return keyId(certificate, SUBJECT_KEY_ID, value -> value.content(Der.OCTETS));
  }

  private static Optional<String> authorityKeyId(X509Certificate certificate) {
    return keyId(certificate, AUTHORITY_KEY_ID, value -> value.sequence().content(KEY_IDENTIFIER));
  }

  private interface Extension {
    byte[] keyId(Der value) throws KeyMaterialException;
  }

  /** Returns the value of an extension; empty if it is absent or malformed, then names decide. */
  private static Optional<String> keyId(X509Certificate certificate, String oid, Extension extension) {
    byte[] wrapped = certificate.getExtensionValue(oid);
    if (wrapped == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(HexFormat.of().formatHex(extension.keyId(new Der(new Der(wrapped).octets()))));
    } catch (KeyMaterialException _) {
      return Optional.empty();
    }
  }

  /** Returns the SHA-256 of a key and its certificates, in hex. */
  static String fingerprint(PublicKey key, List<X509Certificate> chain) {
    MessageDigest digest = Jca.sha256();
    digest.update(key.getEncoded());
    for (X509Certificate certificate : chain) {
      digest.update(Jca.required(certificate::getEncoded));
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  static byte[] sha1(byte[] bytes) {
    return Jca.required(() -> MessageDigest.getInstance("SHA-1")).digest(bytes);
  }
}
