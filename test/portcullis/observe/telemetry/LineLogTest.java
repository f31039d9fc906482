package portcullis.observe.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Await;

class LineLogTest {
  private final ByteArrayOutputStream logged = new ByteArrayOutputStream();
  private final LogWriter writer = new LogWriter(logged);
  private final Log log = new Log(Level.INFO, LogFormat.TEXT, writer, InstantSource.system(), "");
  private volatile Instant now = Instant.parse("2026-01-02T03:04:05Z");

  /** Takes nothing while it is full. */
  private static final class Disk extends OutputStream {
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private volatile boolean full;
    private volatile boolean away;
    private final AtomicInteger failures = new AtomicInteger();

    @Override
    public void write(int octet) throws IOException {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int length) throws IOException {
      if (full || away) {
        failures.incrementAndGet();
      }
      if (away) {
        throw new OutputAwayException("nobody listens", new IOException("refused"));
      }
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
        () -> now);
  }

  private String logged(String message) {
    writer.close();
    return logged.toString(StandardCharsets.UTF_8).lines().filter(line -> line.contains(message))
        .map(line -> line.substring(line.indexOf(message))).collect(Collectors.joining("\n"));
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
  void countsLinesThatAFullDiskDoesNotTake() throws InterruptedException {
    Disk disk = new Disk();
    disk.full = true;
    try (LineLog lines = over(disk, 1000)) {
      lines.offer("a");
      Await.until(() -> lines.dropped() != 0);
      Await.until(() -> !log.problems().isEmpty());
      assertTrue(log.problems().getFirst().text().startsWith("the decision log cannot be written: no space left"),
          log.problems().toString());
      disk.full = false;
      lines.offer("b");
      Await.until(() -> disk.text().contains("lost"));
      assertTrue(log.problems().getFirst().text().startsWith("lines of the decision log were dropped, 1 since"),
          log.problems().toString());
    }
    assertTrue(disk.text().contains("1 lost: no space left\n") && disk.text().contains("b\n"), disk.text());
    assertTrue(logged("dropped").contains("_lines=1"), logged("dropped"));
  }

  @Test
  void logsALastingTroubleOnceAndItsLossesAtItsEnd() throws InterruptedException {
    Disk disk = new Disk();
    disk.full = true;
    try (LineLog lines = over(disk, 1000)) {
      for (int i = 1; i <= 20; i++) {
        lines.offer("a");
        int lost = i;
        Await.until(() -> lines.dropped() == lost);
      }
      disk.full = false;
      Await.until(() -> disk.text().contains("20 lost"));
    }
    assertEquals("A log cannot be written error=\"no space left\" _log=\"decision log\"", logged("A log cannot"));
    assertEquals("Lines of a log were dropped error=\"no space left\" _log=\"decision log\" _lines=20",
        logged("Lines of"));
    assertEquals("A log is written again _log=\"decision log\"", logged("A log is written"));
  }

  @Test
  void logsATroubleThatComesAndGoesOnceAMinute() throws InterruptedException {
    Disk disk = new Disk();
    try (LineLog lines = over(disk, 1000)) {
      for (int i = 1; i <= 5; i++) {
        now = i < 5 ? now : now.plusSeconds(60);
        disk.full = true;
        lines.offer("a");
        int lost = i;
        Await.until(() -> lines.dropped() == lost);
        disk.full = false;
        lines.offer("b");
        // both, or the next trouble would be that of two lines
        Await.until(() -> disk.text().split("lost").length == lost + 1);
        Await.until(() -> disk.text().lines().filter("b"::equals).count() == lost);
      }
    }
    String losses = logged("Lines of a log");
    assertTrue(losses.lines().count() <= 3, losses); // the first, after a minute, at the end
    assertEquals(5, losses.lines().mapToInt(line -> Integer.parseInt(line.substring(line.lastIndexOf('=') + 1))).sum(),
        losses);
    assertTrue(logged("A log cannot").lines().count() <= 2, logged("A log cannot"));
  }

  @Test
  void countsWhatOthersCouldNotWrite() throws InterruptedException {
    Disk disk = new Disk();
    disk.full = true;
    try (LineLog lines = over(disk, 1000)) {
      lines.lost("an event has no room");
      Await.until(() -> disk.failures.get() > 0);
      lines.lost("an event has no room");
      assertEquals(2, lines.dropped());
      disk.full = false;
      Await.until(() -> disk.text().contains("2 lost: an event has no room\n"));
    }
    assertTrue(logged("Lines of a log were dropped").contains("an event has no room"), logged("Lines of"));
  }

  @Test
  void keepsLinesForAnOutputThatIsAway() throws InterruptedException {
    Disk disk = new Disk();
    disk.away = true;
    try (LineLog lines = over(disk, 4)) {
      lines.offer("a");
      Await.until(() -> disk.failures.get() > 1);
      lines.offer("b");
      lines.offer("c");
      assertEquals(1, lines.dropped(), "what finds no room is lost");
      Await.until(() -> log.problems().stream().anyMatch(one -> one.text().contains("1 since the start")));
      disk.away = false;
      Await.until(() -> disk.text().contains("lost"));
      lines.offer("d");
    }
    assertEquals(List.of("1 lost: nobody listens", "a", "b", "d"), disk.text().lines().sorted().toList());
    assertEquals("A log cannot be written error=\"nobody listens\" _log=\"decision log\"", logged("A log cannot"));
  }

  @Test
  void losesAtItsEndWhatAnOutputThatIsAwayHasNotTaken() throws InterruptedException {
    Disk disk = new Disk();
    disk.away = true;
    LineLog lines = over(disk, 1000);
    lines.offer("a");
    Await.until(() -> disk.failures.get() > 0);
    lines.offer("b");
    lines.close();
    assertEquals(2, lines.dropped());
    assertTrue(logged("Lines of a log").endsWith("_lines=2"), logged("Lines of a log"));
  }

  @Test
  void saysWhatAnOutputThatHangsHasNotTakenAtItsEnd() throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch writing = new CountDownLatch(1);
    AtomicInteger writes = new AtomicInteger();
    LineLog lines = over(new OutputStream() {
      @Override
      public void write(int octet) {
        throw new IllegalStateException();
      }

      @Override
      public void write(byte[] bytes, int from, int length) throws IOException {
        writes.incrementAndGet();
        writing.countDown();
        try {
          end.await();
        } catch (InterruptedException _) {
          Thread.currentThread().interrupt();
        }
        throw new IOException("closed");
      }
    }, 1000);
    try {
      lines.offer("a");
      writing.await();
      lines.offer("b");
      lines.close();
      end.countDown();
      Await.until(() -> writes.get() > 1 && lines.dropped() > 1);
      Await.pause(100); // for what would be logged of that
      assertTrue(logged("Lines of a log").endsWith("_lines=2"), logged("Lines of a log"));
    } finally {
      end.countDown();
    }
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

  @Test
  void queuesAtMost65536Lines() throws InterruptedException {
    Disk disk = new Disk();
    disk.away = true;
    try (LineLog lines = over(disk, 64 << 20)) {
      lines.offer("a");
      Await.until(() -> disk.failures.get() > 0);
      for (int i = 1; i < 66_000; i++) {
        lines.offer("a");
      }
      assertEquals(66_000 - 65_536, lines.dropped());
    }
  }
}
