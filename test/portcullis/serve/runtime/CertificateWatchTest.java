package portcullis.serve.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import portcullis.fixture.CertificateDraft;
import portcullis.observe.metrics.CertificateExpiry.Used;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;

/** Which certificates are reported, and when, by an injected clock. */
class CertificateWatchTest {
  private static final Instant END = Instant.parse("2031-01-01T00:00:00Z");

  private final AtomicReference<Instant> now = new AtomicReference<>(END);
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final LogWriter writer = new LogWriter(out);
  private final Log log = new Log(Level.ERROR, LogFormat.TEXT, writer, now::get, "");
  private final CertificateWatch watch = new CertificateWatch(now::get, log);

  @AfterEach
  void close() {
    writer.close();
  }

  private static Used certificate(String name, Duration validity) {
    return new Used("main", CertificateDraft.of(name).valid(END.minus(validity), END).make().certificate());
  }

  private void look(Duration beforeEnd, Used... used) {
    now.set(END.minus(beforeEnd));
    watch.check(List.of(used));
  }

  /** Returns the message and the days left of each line. */
  private List<String> logged() {
    writer.close();
    return out.toString(StandardCharsets.UTF_8).lines()
        .map(line -> line.replaceAll(".* ERR (Certificate [a-z ]+) .* _days_left=(-?\\d+)$", "$1: $2")).toList();
  }

  private List<String> problems() {
    return log.problems().stream().map(one -> one.since() + " " + one.text()).toList();
  }

  @Test
  void reportsEachThresholdAndOnceADay() {
    Used year = certificate("gate", Duration.ofDays(365));
    look(Duration.ofDays(31), year);
    assertEquals(List.of(), problems());
    look(Duration.ofDays(30), year);
    look(Duration.ofDays(30).minusHours(23), year);
    assertEquals(List.of("2030-12-02T00:00:00Z certificate of main (CN=gate) expires 2031-01-01T00:00:00Z"),
        problems());
    look(Duration.ofDays(29), year);
    look(Duration.ofDays(7).plusHours(1), year);
    look(Duration.ofDays(7), year);
    look(Duration.ofDays(1).plusHours(1), year);
    look(Duration.ofHours(24), year);
    look(Duration.ofHours(1), year);
    look(Duration.ZERO, year);
    look(Duration.ofHours(-23), year);
    assertEquals(List.of("2030-12-02T00:00:00Z certificate of main (CN=gate) expired 2031-01-01T00:00:00Z"),
        problems());
    look(Duration.ofHours(-24), year);
    assertEquals(List.of("Certificate expires soon: 30", "Certificate expires soon: 29", "Certificate expires soon: 7",
        "Certificate expires soon: 7", "Certificate expires soon: 1", "Certificate expires soon: 1",
        "Certificate has expired: 0", "Certificate has expired: -1"), logged());
  }

  @Test
  void endsWithTheReplacedCertificate() {
    Used old = certificate("gate", Duration.ofDays(365));
    look(Duration.ofDays(3), old, certificate("other", Duration.ofDays(365)));
    assertEquals(2, problems().size());
    look(Duration.ofDays(3), old);
    assertEquals(1, problems().size());
    look(Duration.ofDays(3));
    assertEquals(List.of(), problems());
    look(Duration.ofDays(3), old);
    assertEquals(3, logged().size(), "a certificate that is used again is reported again");
  }

  @Test
  void toleratesShortLivedCertificates() {
    Used day = certificate("day", Duration.ofDays(1));
    Used week = certificate("week", Duration.ofDays(7));
    Used quarter = certificate("quarter", Duration.ofDays(90));
    look(Duration.ofDays(2), week);
    look(Duration.ofHours(1), day);
    assertEquals(List.of(), problems());
    look(Duration.ofDays(1), day, week);
    assertEquals(1, problems().size());
    look(Duration.ofDays(30), quarter);
    assertTrue(problems().getFirst().contains("CN=quarter"), problems().toString());
    look(Duration.ZERO, day);
    assertEquals(List.of("2031-01-01T00:00:00Z certificate of main (CN=day) expired 2031-01-01T00:00:00Z"), problems());
  }
}
