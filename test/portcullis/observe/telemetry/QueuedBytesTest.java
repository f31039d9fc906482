package portcullis.observe.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Await;

/** How much memory queued lines may take. */
class QueuedBytesTest {
  private static final int MAX_BYTES = 1 << 20;
  /** What HTTP/2 repeats with a byte on the wire. */
  private static final String AGENT = "\u0080".repeat(4_054);

  /** A reader that takes nothing until it is released. */
  private static final class Stalled extends OutputStream {
    private final CountDownLatch release = new CountDownLatch(1);
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();

    @Override
    public void write(int octet) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      try {
        release.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      taken.write(bytes, from, length);
    }

    long lines() {
      return taken.toString(StandardCharsets.UTF_8).lines().count();
    }
  }

  private final Stalled out = new Stalled();
  private final LogWriter writer = new LogWriter(out, MAX_BYTES, Duration.ofMillis(4));
  private final Log log = log(writer);

  private static Log log(LogWriter writer) {
    return new Log(Level.INFO, LogFormat.GELF, writer, InstantSource.system(), "gate");
  }

  private AccessEvent begun() {
    return log.access("TX started", 0).add("_http_user_agent", AGENT);
  }

  /** As many requests as the log takes, which end at once or, as tunnels, later. */
  private int flood(List<AccessEvent> open) {
    int accepted = 0;
    for (AccessEvent event = begun(); accepted < MAX_BYTES / 1_000 && event.logStart(); event = begun()) {
      accepted++;
      if (open.size() < 10) {
        open.add(event);
      } else {
        event.beginEnd("TX finished", AGENT, 0).logEnd();
      }
    }
    return accepted;
  }

  @Test
  void floodOfLongValuesKeepsTheQueueWithinItsBytes() {
    List<AccessEvent> open = new ArrayList<>();
    int accepted = flood(open);
    assertTrue(accepted > 50 && accepted < MAX_BYTES / 1_000, "accepted " + accepted);
    long full = writer.waitingBytes();
    assertTrue(full <= MAX_BYTES + 20_000, "queued " + full); // the end of the last one
    open.forEach(event -> event.beginEnd("TX finished", "", 0).logEnd());
    assertTrue(writer.waitingBytes() > full, "ends are queued whatever there is room for");
    out.release.countDown();
    writer.close();
    assertEquals(0, writer.waitingBytes());
    assertEquals(2 * accepted, out.lines() - 1, "all, and a line that counts the one that was refused");
  }

  /** Many long ones would leave no room for others. */
  @Test
  void requestsThatLastKeepNoBytesOfTheQueue() throws Exception {
    out.release.countDown();
    int count = MAX_BYTES / 1_000;
    List<AccessEvent> open = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      open.add(begun());
      assertTrue(open.getLast().logStart(), "request " + i);
      if (i % 100 == 0) {
        Await.until(() -> writer.waitingBytes() == 0);
      }
    }
    Await.until(() -> writer.waitingBytes() == 0);
    assertEquals(count, writer.waiting());
    open.forEach(event -> event.beginEnd("TX finished", "", 0).logEnd());
    writer.close();
    assertEquals(2 * count, out.lines());
  }

  @Test
  void otherLinesAreDroppedAndCountedBeyondIt() {
    String text = "x".repeat(10_000);
    for (int i = 0; i < MAX_BYTES / 5_000 && writer.dropped() == 0; i++) {
      log.info(text);
    }
    assertTrue(writer.dropped() > 0, "more than it may be has been queued");
    assertTrue(writer.waitingBytes() <= MAX_BYTES, "queued " + writer.waitingBytes());
    assertFalse(writer.waitingBytes() < MAX_BYTES - 20_000, "queued " + writer.waitingBytes());
    out.release.countDown();
    writer.close();
  }

  @Test
  void theLogOfTheProgramHasALimit() {
    try (LogWriter main = new LogWriter(out)) {
      Log log = log(main);
      String text = "x".repeat(1 << 20);
      for (long bytes = 0; bytes <= LogWriter.maxBytes(); bytes += text.length()) {
        log.info(text);
      }
      assertTrue(main.dropped() > 0 && main.waitingBytes() <= LogWriter.maxBytes(), "queued " + main.waitingBytes());
      out.release.countDown();
    }
    assertTrue(LogWriter.maxBytes() <= Math.min(64L << 20, Runtime.getRuntime().maxMemory() / 16));
  }

  /** Errors may quote what a client has sent. */
  @Test
  void longFieldsOfOtherLinesAreCut() {
    log.error("failed", "_error", "x".repeat(4_096), "_value", "y".repeat(4_097));
    out.release.countDown();
    writer.close();
    String line = out.taken.toString(StandardCharsets.UTF_8);
    assertTrue(line.contains("\"_error\":\"" + "x".repeat(4_096) + "\""), line);
    assertTrue(line.contains("\"_value\":\"" + "y".repeat(3_072) + "… (1 characters) …" + "y".repeat(1_024) + "\""),
        line);
  }
}
