package portcullis.serve.runtime;

import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import portcullis.observe.metrics.CertificateExpiry.Used;
import portcullis.observe.telemetry.Log;

/** Reports certificates that end soon, or have ended, as errors. For one thread. */
final class CertificateWatch {
  private final Log log;
  private final ExpiryWatch watch;

  CertificateWatch(InstantSource clock, Log log) {
    this.log = log;
    this.watch = new ExpiryWatch(clock, log.ongoing());
  }

  /** @param used all certificates in use */
  void check(List<Used> used) {
    watch.check(used.stream().map(this::item).toList());
  }

  private ExpiryWatch.Item item(Used used) {
    X509Certificate certificate = used.certificate();
    String subject = certificate.getSubjectX500Principal().getName();
    String number = certificate.getSerialNumber().toString();
    return new ExpiryWatch.Item(
        "certificate " + used.service() + " " + number + " " + certificate.getIssuerX500Principal().getName(),
        "certificate of " + used.service() + " (" + subject + ")", certificate.getNotBefore().toInstant(),
        certificate.getNotAfter().toInstant(),
        left -> log.error(left.isPositive() ? "Certificate expires soon" : "Certificate has expired", "_service",
            used.service(), "_subject", subject, "_serial_nr", number, "_expires",
            certificate.getNotAfter().toInstant(), "_days_left", left.toDays()));
  }
}
