package portcullis.serve.runtime;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import portcullis.observe.metrics.CertificateExpiry.Used;
import portcullis.observe.telemetry.Log;

/**
 * Reports certificates that end within 30, 7 or 1 days, or have ended: an error when one of these times begins and once
 * a day, and a lasting problem until the certificate is replaced. Of short-lived certificates only times of less than
 * half of their validity count. For one thread.
 */
final class CertificateWatch {
  /** In ascending order. */
  private static final List<Duration> TIMES = List.of(Duration.ZERO, Duration.ofDays(1), Duration.ofDays(7),
      Duration.ofDays(30));
  private static final Duration REMINDER = Duration.ofDays(1);

  private final InstantSource clock;
  private final Log log;
  private final Map<String, Report> reports = new HashMap<>();

  /** The last report about a certificate. */
  private record Report(Duration time, Instant at) {}

  CertificateWatch(InstantSource clock, Log log) {
    this.clock = clock;
    this.log = log;
  }

  /** @param used all certificates in use */
  void check(List<Used> used) {
    Instant now = clock.instant();
    Set<String> keys = used.stream().map(CertificateWatch::key).collect(Collectors.toSet());
    for (String known : List.copyOf(reports.keySet())) {
      if (!keys.contains(known)) {
        reports.remove(known);
        log.ongoing().end(known);
      }
    }
    used.forEach(one -> check(one, now));
  }

  private static String key(Used used) {
    X509Certificate certificate = used.certificate();
    return "certificate " + used.service() + " " + certificate.getSerialNumber() + " "
        + certificate.getIssuerX500Principal().getName();
  }

  private void check(Used used, Instant now) {
    X509Certificate certificate = used.certificate();
    Instant end = certificate.getNotAfter().toInstant();
    Duration left = Duration.between(now, end);
    Duration validity = Duration.between(certificate.getNotBefore().toInstant(), end);
    List<Duration> times = TIMES.stream().filter(time -> time.multipliedBy(2).compareTo(validity) < 0).toList();
    Optional<Duration> due = times.stream().filter(time -> left.compareTo(time) <= 0).findFirst();
    if (due.isEmpty()) {
      return;
    }
    String subject = certificate.getSubjectX500Principal().getName();
    log.ongoing().begin(key(used), end.minus(times.getLast()),
        "certificate of %s (%s) %s %s".formatted(used.service(), subject, left.isPositive() ? "expires" : "expired",
            end));
    Report before = reports.get(key(used));
    if (before == null || !before.time.equals(due.get()) || !now.isBefore(before.at.plus(REMINDER))) {
      reports.put(key(used), new Report(due.get(), now));
      log.error(left.isPositive() ? "Certificate expires soon" : "Certificate has expired", "_service", used.service(),
          "_subject", subject, "_serial_nr", certificate.getSerialNumber().toString(), "_expires", end, "_days_left",
          left.toDays());
    }
  }
}
