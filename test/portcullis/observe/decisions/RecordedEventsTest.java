package portcullis.observe.decisions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.config.Yaml;
import portcullis.crypto.keys.KeyRing;
import portcullis.fixture.Ed25519Files;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;

/** What becomes of events that the audit chain cannot take. */
class RecordedEventsTest {
  private final InstantSource clock = InstantSource.system();
  private final Log log = new Log(Level.DISABLED, LogFormat.TEXT, new LogWriter(new ByteArrayOutputStream()), clock,
      "");
  private final List<String> lost = new ArrayList<>();
  private final List<String> others = new ArrayList<>();

  @TempDir
  private Path folder;
  private Path key;

  @BeforeEach
  void key() throws Exception {
    key = Ed25519Files.write(folder, "audit");
  }

  private static <T> T read(String yaml, portcullis.config.Decoder<T> decoder) {
    Problems problems = new Problems();
    return Yaml.read(new SourceFile("f", yaml), problems).flatMap(node -> decoder.decode(node, problems))
        .orElseThrow(() -> new AssertionError(problems.sorted().toString()));
  }

  /** Returns what records events in a chain that takes none any more. */
  private RecordedEvents full(String onFailure) throws Exception {
    AuditChain chain = new AuditChain(folder.resolve("log"),
        changes -> new RotatingFile(folder.resolve("log"), 1 << 20, Duration.ofDays(1), 9, true, clock, changes),
        KeyRing.read(key, "", Instant.now()).first(), new CheckpointPace(100, Duration.ofSeconds(10)), clock, _ -> {});
    chain.close();
    AuditSettings settings = read("{key: '" + key + "', on_failure: " + onFailure + "}", AuditSettings.decoder());
    return new RecordedEvents(chain, settings, _ -> "***", others::add, lost::add, clock, log);
  }

  @Test
  void anEventThatCannotBeRecordedIsRefused() throws Exception {
    try (RecordedEvents events = full("block")) {
      assertThrows(AuditException.class, () -> events.record(AuditEvent.of("rules", "watch")));
      assertEquals(List.of(List.of(), List.of()), List.of(lost, others));
      assertEquals(1, log.problems().size());
    }
  }

  @Test
  void withDropItIsCountedAndSentToOtherOutputs() throws Exception {
    try (RecordedEvents events = full("drop")) {
      events.record(AuditEvent.of("rules", "watch"));
      assertEquals(List.of("the audit log cannot be written: it is closed"), lost);
      assertEquals(1, others.size());
      assertEquals(1, log.problems().size());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"block", "drop"})
  void aFirstLineThatCannotBeWrittenPreventsTheStart(String onFailure) {
    Problems problems = new Problems();
    DecisionLogSettings settings = read("{file: {path: '" + folder + "/none/log'}, audit: {key: '" + key
        + "', on_failure: " + onFailure + "}}", DecisionLogSettings.decoder());
    assertEquals(Optional.empty(), DecisionLog.start(settings, log, clock, problems));
    String problem = problems.sorted().stream().map(Problem::text).findFirst().orElse("");
    assertTrue(problem.contains("cannot write: "), problem);
  }
}
