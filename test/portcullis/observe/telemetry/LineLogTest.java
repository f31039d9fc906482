package portcullis.observe.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class LineLogTest {
  private final ByteArrayOutputStream logged = new ByteArrayOutputStream();
  private final LogWriter writer = new LogWriter(logged);
  private final Log log = new Log(Level.INFO, LogFormat.TEXT, writer, InstantSource.system(), "");

  /** Takes nothing while it is full. */
  private static final class Disk extends OutputStream {
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private volatile boolean full;

    @Override
    public void write(int octet) throws IOException {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int length) throws IOException {
      if (full) {
        throw new IOException("no space left");
      }
      taken.write(bytes, from, length);
    }

    synchronized String text() {
      return taken.toString(StandardCharsets.UTF_8);
    }
  }

  private LineLog over(OutputStream out, long maxBytes) {
    return new LineLog("decision log", out, maxBytes, (count, reason) -> count + " lost: " + reason, log,
        InstantSource.system());
  }

  @Test
  void writesLinesInOrder() {
    Disk disk = new Disk();
    try (LineLog lines = over(disk, 1000)) {
      lines.offer("ä");
      lines.offer("b");
    }
    assertEquals("ä\nb\n", disk.text());
  }

  @Test
  void countsLinesThatAFullDiskDoesNotTake() {
    Disk disk = new Disk();
    disk.full = true;
    try (LineLog lines = over(disk, 1000)) {
      lines.offer("a");
      while (lines.dropped() == 0) {
        Thread.onSpinWait();
      }
      while (log.problems().isEmpty()) {
        Thread.onSpinWait();
      }
      assertTrue(log.problems().getFirst().text().startsWith("the decision log cannot be written: no space left"),
          log.problems().toString());
      disk.full = false;
      lines.offer("b");
      while (!disk.text().contains("lost")) {
        Thread.onSpinWait();
      }
      assertTrue(log.problems().getFirst().text().startsWith("lines of the decision log were dropped, 1 since"),
          log.problems().toString());
    }
    assertTrue(disk.text().contains("1 lost: no space left\n") && disk.text().contains("b\n"), disk.text());
    writer.close();
    assertTrue(logged.toString(StandardCharsets.UTF_8).contains("_lines=1"), logged.toString(StandardCharsets.UTF_8));
  }

  @Test
  void neverQueuesMoreBytesThanAllowed() {
    Disk disk = new Disk();
    try (LineLog lines = over(disk, 10)) {
      lines.offer("a line that is longer than the queue");
      assertEquals(1, lines.dropped());
      lines.offer("short");
    }
    assertTrue(disk.text().contains("short\n"), disk.text());
  }
}
