package portcullis.observe.decisions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.KeyRing;
import portcullis.crypto.keys.VerificationKeys;
import portcullis.fixture.Ed25519Files;
import portcullis.lang.source.Problems;
import portcullis.verify.AuditReport;
import portcullis.verify.AuditVerification;

/** A process that is killed within a write leaves any part of it, and none of them is a finding. */
class AuditChainCutTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final Duration STREAM = Duration.ofHours(5);

  @TempDir
  private Path folder;
  private Path log;
  private KeyEntry key;
  private Instant now = NOW;

  @BeforeEach
  void start() throws Exception {
    log = folder.resolve("decisions.log");
    key = KeyRing.read(Ed25519Files.write(folder, "audit"), "", NOW).first();
  }

  private AuditChain open() throws IOException {
    return new AuditChain(log,
        changes -> new RotatingFile(log, 1 << 20, Duration.ofDays(1), 100, true, () -> now, changes), key,
        new CheckpointPace(100, Duration.ofSeconds(10)), () -> now, _ -> {});
  }

  /** Writes lines of requests that began so long ago, at once. */
  private void write(AuditChain chain, Duration... ago) throws IOException {
    StringBuilder out = new StringBuilder();
    for (Duration one : ago) {
      out.append("{\"time\":\"").append(now.minus(one)).append("\",\"decision\":\"allowed\"}\n");
    }
    byte[] bytes = out.toString().getBytes(StandardCharsets.UTF_8);
    chain.write(bytes, 0, bytes.length);
  }

  private AuditReport verified() throws Exception {
    Problems problems = new Problems();
    return AuditVerification.run(List.of(log), VerificationKeys.ed25519(folder.resolve("audit.pub")),
        Optional.empty(), problems).orElseThrow(() -> new AssertionError(problems.sorted().toString()));
  }

  private void expectNoFinding(String when) throws Exception {
    AuditReport report = verified();
    assertEquals(List.of(), report.all(), () -> when + "\n" + report.text());
  }

  /** Returns the ends of lines behind the first one, and places within them. */
  private static Set<Integer> cuts(byte[] whole) {
    Set<Integer> out = new TreeSet<>();
    int begin = -1;
    for (int i = 0; i < whole.length; i++) {
      if (whole[i] == '\n') {
        out.add(i + 1);
        out.addAll(begin < 0 ? List.of() : List.of(begin + 1, (begin + i) / 2, i - 1, i));
        begin = i + 1;
      }
    }
    return out;
  }

  private void expectNoneAtAnyCut(byte[] whole) throws Exception {
    for (int cut : cuts(whole)) {
      String left = new String(whole, 0, cut, StandardCharsets.UTF_8);
      Files.write(log, Arrays.copyOf(whole, cut));
      now = NOW.plus(Duration.ofDays(5));
      expectNoFinding("killed behind " + left);
      try (AuditChain chain = open()) {
        write(chain, Duration.ZERO, Duration.ofMinutes(9));
        expectNoFinding("started behind " + left);
        write(chain, Duration.ZERO, STREAM, Duration.ZERO);
      }
      expectNoFinding("closed behind " + left);
    }
  }

  @Test
  void longRequestsBesideShortOnes() throws Exception {
    byte[] whole;
    try (AuditChain chain = open()) {
      write(chain, Duration.ZERO, Duration.ofMinutes(9));
      now = now.plusSeconds(9);
      write(chain, Duration.ZERO, STREAM, Duration.ofMinutes(9), Duration.ZERO, STREAM, STREAM.multipliedBy(2),
          Duration.ZERO, STREAM.negated());
      write(chain, STREAM);
      whole = Files.readAllBytes(log);
    }
    expectNoneAtAnyCut(whole);
  }

  @Test
  void eventsAfterAStepOfTheClock() throws Exception {
    byte[] whole;
    try (AuditChain chain = open()) {
      for (Duration step : List.of(STREAM, STREAM.negated(), Duration.ofSeconds(11))) {
        write(chain, Duration.ZERO, Duration.ZERO);
        now = now.plus(step);
        chain.record(AuditEvent.of("reload", "signal"));
        write(chain, Duration.ZERO);
        now = now.plus(step);
        write(chain, Duration.ZERO);
      }
      now = now.plus(STREAM);
    }
    whole = Files.readAllBytes(log);
    assertTrue(new String(whole, StandardCharsets.UTF_8).contains("\"last\":true"), "the end is an event, too");
    expectNoneAtAnyCut(whole);
  }
}
