package portcullis.observe.metrics;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The metric of the remaining validity of certificates. */
public final class CertificateExpiry {
  private static final int DNS = 2;

  private CertificateExpiry() {}

  /** A certificate and its user, such as {@code main} or the id of a finalizer. */
  public record Used(String service, X509Certificate certificate) {}

  /** @param used called on each export */
  public static void measure(Registry registry, Supplier<List<Used>> used, InstantSource clock) {
    registry.observe("certificate.expiry", "s", "Seconds until a certificate expires", Metric.Kind.GAUGE,
        () -> used.get().stream().map(one -> sample(one, clock)).distinct().toList(), "service", "issuer",
        "serial_nr", "subject", "dns_names");
  }

  private static Metric.Sample sample(Used used, InstantSource clock) {
    X509Certificate certificate = used.certificate();
    double left = Duration.between(clock.instant(), certificate.getNotAfter().toInstant()).toSeconds();
    return Registry.sample(new Metric.Real(left), "service", used.service(), "issuer",
        certificate.getIssuerX500Principal().getName(),
        "serial_nr", certificate.getSerialNumber().toString(), "subject",
        certificate.getSubjectX500Principal().getName(),
        "dns_names", names(certificate));
  }

  private static String names(X509Certificate certificate) {
    try {
      Collection<List<?>> all = certificate.getSubjectAlternativeNames();
      return (all == null ? new ArrayList<List<?>>() : all).stream().filter(name -> name.get(0).equals(DNS))
          .map(name -> name.get(1).toString()).collect(Collectors.joining(","));
    } catch (CertificateParsingException _) {
      return "";
    }
  }
}
