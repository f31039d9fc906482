package portcullis.observe.decisions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import portcullis.config.Yaml;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;

/** How much waits for an output that takes nothing. */
class DecisionLogQueueTest {
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

  @Test
  void anOutputHas64MegabytesOrASixteenthOfTheHeap() throws Exception {
    Problems problems = new Problems();
    DecisionLogSettings settings = Yaml.read(new SourceFile("c", "otlp: true"), problems)
        .flatMap(node -> DecisionLogSettings.decoder().decode(node, problems)).orElseThrow();
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
