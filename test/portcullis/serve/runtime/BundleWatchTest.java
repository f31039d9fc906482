package portcullis.serve.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.serve.bundle.Bundle;
import portcullis.serve.bundle.KnownCounters;
import portcullis.serve.bundle.SignatureRequirement;

/** Which signed bundles are reported, and when, by an injected clock. */
class BundleWatchTest {
  private static final Instant END = Instant.parse("2031-01-01T00:00:00Z");

  private static AppliedRules rules(Optional<Long> counter) {
    return new AppliedRules("file_system:/r", new SourceFile("", ""), Set.of(), 0, 0, List.of(), new Problems(),
        counter.map(number -> new SignatureRequirement.Accepted(new Bundle(number, END.minus(Duration.ofDays(365)), END,
            Optional.empty(), Optional.empty(), Optional.empty(), new LinkedHashMap<>()),
            new SignatureRequirement(List.of(), 1, "state", false), "digest", Optional.empty(), new KnownCounters())));
  }

  private static List<String> problems(Log log) {
    return log.problems().stream().map(one -> one.since() + " " + one.text()).toList();
  }

  @Test
  void bundlesThatEndSoonAreProblemsUntilTheyAreReplaced() {
    AtomicReference<Instant> now = new AtomicReference<>(END.minus(Duration.ofDays(31)));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (LogWriter writer = new LogWriter(out)) {
      Log log = new Log(Level.ERROR, LogFormat.TEXT, writer, now::get, "");
      BundleWatch watch = new BundleWatch(now::get, log);
      watch.check(List.of(rules(Optional.of(7L)), rules(Optional.empty())));
      assertEquals(List.of(), problems(log));
      for (Duration left : List.of(Duration.ofDays(30), Duration.ofDays(7), Duration.ofDays(1))) {
        now.set(END.minus(left));
        watch.check(List.of(rules(Optional.of(7L))));
        assertEquals(List.of("2030-12-02T00:00:00Z signed bundle 7 of file_system:/r expires " + END), problems(log));
      }
      now.set(END.plusSeconds(1));
      watch.check(List.of(rules(Optional.of(7L))));
      assertEquals(List.of("2030-12-02T00:00:00Z signed bundle 7 of file_system:/r expired " + END), problems(log));
      watch.check(List.of(rules(Optional.empty())));
      assertEquals(List.of(), problems(log));
    }
    assertEquals(List.of("Signed bundle expires soon: 30", "Signed bundle expires soon: 7",
        "Signed bundle expires soon: 1", "Signed bundle has expired: 0"),
        out.toString(StandardCharsets.UTF_8).lines().map(line -> line.replaceAll(
            ".* ERR (Signed [a-z ]+) _rule_set=file_system:/r _counter=7 _expires=.* _days_left=(-?\\d+)$", "$1: $2"))
            .toList());
  }
}
