package portcullis.observe.decisions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.config.Yaml;
import portcullis.fixture.Await;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;

/** How much waits for an output that takes nothing, and what happens to a file. */
class DecisionLogQueueTest {
  @TempDir
  private Path folder;

  /** Takes nothing until it may. */
  private static final class Held extends OutputStream {
    private final CountDownLatch go = new CountDownLatch(1);

    @Override
    public void write(int octet) throws IOException {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      try {
        go.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }

  private static DecisionLogSettings settings(String yaml) {
    Problems problems = new Problems();
    return Yaml.read(new SourceFile("c", yaml), problems)
        .flatMap(node -> DecisionLogSettings.decoder().decode(node, problems))
        .orElseThrow(() -> new AssertionError(problems.sorted().toString()));
  }

  @Test
  void changesOfItsFileAreProblemsUntilItIsRenamed() throws Exception {
    Path file = folder.resolve("decisions.log");
    Problems problems = new Problems();
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    try (LogWriter writer = new LogWriter(shown)) {
      Log log = new Log(Level.INFO, LogFormat.TEXT, writer, InstantSource.system(), "");
      try (DecisionLog decisions = DecisionLog.start(settings("file: { path: " + file + ", max_size: 1MB }"), log,
          InstantSource.system(), problems).orElseThrow()) {
        decisions.offer(decisions.line(Instant.EPOCH).add("a", "b"));
        Await.until(() -> Files.exists(file) && Files.size(file) > 0);
        Files.move(file, folder.resolve("moved"));
        decisions.offer(decisions.line(Instant.EPOCH).add("a", "b"));
        Await.until(() -> !log.problems().isEmpty());
        assertEquals("The file of a log was changed " + file + ": it was removed or renamed by another program",
            log.problems().getFirst().text());
        Await.until(() -> Files.exists(file) && Files.size(file) > 0);
        decisions.offer(decisions.line(Instant.EPOCH).add("a", "x".repeat(1 << 20)));
        Await.until(() -> log.problems().isEmpty());
      }
    }
    String text = shown.toString(StandardCharsets.UTF_8);
    assertTrue(text.contains(
        " ERR The file of a log was changed error=\"it was removed or renamed by another program\" _file="), text);
    assertTrue(text.contains("The changed file of a log was renamed"), text);
  }

  @Test
  void anOutputHas64MegabytesOrASixteenthOfTheHeap() throws Exception {
    Problems problems = new Problems();
    DecisionLogSettings settings = settings("otlp: true");
    Held output = new Held();
    String value = "x".repeat(100_000);
    try (LogWriter writer = new LogWriter(new ByteArrayOutputStream());
        DecisionLog log = DecisionLog.start(settings, new Log(Level.ERROR, LogFormat.TEXT, writer,
            InstantSource.system(), ""), InstantSource.system(), _ -> output, problems).orElseThrow()) {
      try {
        long queued = 0;
        while (log.dropped() == 0) {
          log.offer(log.line(Instant.EPOCH).add("a", value));
          queued++;
        }
        long most = Math.min(64L << 20, Runtime.getRuntime().maxMemory() / 16);
        assertEquals(most / 100_000.0, queued - 1, 1 + most / 100_000 * 0.01);
        assertTrue(queued > 1);
      } finally {
        output.go.countDown();
      }
    }
  }
}
