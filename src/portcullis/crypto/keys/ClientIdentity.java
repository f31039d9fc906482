package portcullis.crypto.keys;

import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;

/**
 * The names in a certificate; immutable. Names with control characters are left out.
 *
 * @param commonName the common name of the subject; empty unless there is exactly one
 * @param spiffeId the SPIFFE ID of an X.509 SVID: its only URI, if that is well-formed
 * @param thumbprint the SHA-256 of the certificate in base64url, as in {@code x5t#S256} (RFC 8705, 3.1)
 */
public record ClientIdentity(X509Certificate certificate, String distinguishedName, Optional<String> commonName,
    List<String> dnsNames, List<String> uris, List<String> emails, List<String> addresses, Optional<String> spiffeId,
    String thumbprint) {
  private static final String COMMON_NAME = "2.5.4.3";
  private static final int SET = 0x31;
  private static final int EMAIL = 1;
  private static final int DNS = 2;
  private static final int URI = 6;
  private static final int ADDRESS = 7;
  private static final int LONGEST_SPIFFE_ID = 2048;
  /** A trust domain and at least one segment that is neither `.` nor `..`. */
  private static final Pattern SPIFFE_ID = Pattern
      .compile("spiffe://([a-z0-9._-]{1,255})(?:/(?!\\.{1,2}(?:/|$))[A-Za-z0-9._-]++)++");

  /** Returns the names of a certificate. @throws KeyMaterialException if they cannot be read */
  public static ClientIdentity of(X509Certificate certificate) throws KeyMaterialException {
    try {
      Collection<List<?>> names = Optional.ofNullable(certificate.getSubjectAlternativeNames()).orElse(List.of());
      List<String> uris = names(names, URI);
      Optional<String> spiffe = uris.size() == 1 && uris.getFirst().length() <= LONGEST_SPIFFE_ID
          && SPIFFE_ID.matcher(uris.getFirst()).matches() ? Optional.of(uris.getFirst()) : Optional.empty();
      return new ClientIdentity(certificate, printable(certificate.getSubjectX500Principal().getName()),
          commonName(certificate.getSubjectX500Principal()), names(names, DNS), uris, names(names, EMAIL),
          names(names, ADDRESS), spiffe, thumbprint(certificate));
    } catch (CertificateParsingException _) {
      throw new KeyMaterialException("the alternative names of the certificate cannot be read");
    }
  }

  /** Returns the SHA-256 of a certificate in base64url. */
  public static String thumbprint(X509Certificate certificate) throws KeyMaterialException {
    try {
      return Base64.getUrlEncoder().withoutPadding().encodeToString(Jca.sha256().digest(certificate.getEncoded()));
    } catch (CertificateEncodingException _) {
      throw new KeyMaterialException("the certificate cannot be encoded");
    }
  }

  /** Returns the trust domain of the SPIFFE ID. */
  public Optional<String> trustDomain() {
    return spiffeId.map(id -> id.substring("spiffe://".length(), id.indexOf('/', "spiffe://".length())));
  }

  private static List<String> names(Collection<List<?>> all, int kind) {
    List<String> out = new ArrayList<>();
    for (List<?> name : all) {
      if (name.getFirst().equals(kind) && name.get(1) instanceof String text && !printable(text).isEmpty()) {
        out.add(text);
      }
    }
    return List.copyOf(out);
  }

  /** Returns an empty string for one with control characters. */
  private static String printable(String text) {
    return text.chars().anyMatch(Character::isISOControl) ? "" : text;
  }

  private static Optional<String> commonName(X500Principal subject) {
    List<String> found = new ArrayList<>();
    try {
      Der names = Der.onlySequence(subject.getEncoded());
      while (names.hasMore()) {
        Der set = new Der(names.content(SET));
        while (set.hasMore()) {
          Der pair = set.sequence();
          if (pair.oid().equals(COMMON_NAME)) {
            found.add(pair.string());
          }
        }
      }
    } catch (KeyMaterialException _) {
      return Optional.empty();
    }
    return found.size() == 1 ? Optional.of(printable(found.getFirst())).filter(name -> !name.isEmpty())
        : Optional.empty();
  }
}
