package portcullis.crypto.keys;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * The host names that a certificate vouches for: its DNS alternative names, in which a first label {@code *} stands for
 * any.
 */
public record CoveredHosts(List<String> names) {
  private static final int DNS_NAME = 2;

  public CoveredHosts {
    names = names.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
  }

  public static CoveredHosts of(X509Certificate certificate) {
    try {
      Collection<List<?>> names = Objects.requireNonNullElse(certificate.getSubjectAlternativeNames(), List.of());
      return new CoveredHosts(
          names.stream().filter(name -> name.getFirst().equals(DNS_NAME)).map(name -> (String) name.get(1)).toList());
    } catch (CertificateParsingException _) {
      return new CoveredHosts(List.of());
    }
  }

  /** Returns whether one of the names is the host's (RFC 9525, 6.3), whose case does not count. */
  public boolean cover(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    int dot = lower.indexOf('.');
    return names.contains(lower) || dot > 0 && names.contains("*" + lower.substring(dot));
  }
}
