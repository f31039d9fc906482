package portcullis.observe.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Await;
import portcullis.fixture.Needs;

/** What becomes of lines while the output of the log fails. */
final class LogWriterTest {
  private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-11-21T10:00:00.042Z"));

  private final BlockingQueue<String> alarms = new LinkedBlockingQueue<>();

  private static Log log(LogWriter writer) {
    return new Log(Level.INFO, LogFormat.TEXT, writer, CLOCK, "gate");
  }

  /** An output that fails as long as the disk is full. */
  private static final class Disk extends OutputStream {
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private volatile Exception error = new IOException("No space left on device");

    @Override
    public void write(int octet) {
      throw new UnsupportedOperationException();
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int length) throws IOException {
      switch (error) {
        case IOException e -> throw e;
        case RuntimeException e -> throw e;
        default -> taken.write(bytes, from, length);
      }
    }

    synchronized List<String> lines() {
      return taken.toString(StandardCharsets.UTF_8).lines().toList();
    }
  }

  private void countsWhatAFailingOutputLoses(Exception error) throws Exception {
    Disk disk = new Disk();
    disk.error = error;
    LogWriter writer = new LogWriter(disk, alarms::add);
    Log log = log(writer);
    for (int i = 0; i < 1_000; i++) {
      AccessEvent event = log.access("TX started", 0);
      assertTrue(event.logStart());
      event.beginEnd("TX finished", "", 0).logEnd();
    }
    assertEquals(error.getMessage(), alarms.poll(60, TimeUnit.SECONDS));
    Await.until(() -> writer.dropped() >= 2_000);
    assertEquals("the log cannot be written: " + error.getMessage(), log.problems().getFirst().text());
    disk.error = new Exception("none");
    Await.until(() -> !disk.lines().isEmpty()); // without another line
    log.info("after");
    writer.close();
    assertEquals(2_000, writer.dropped());
    assertEquals(List.of("2026-11-21T10:00:00.042Z ERR Log lines were dropped: " + error.getMessage() + " _lines=2000",
        "2026-11-21T10:00:00.042Z INF after"), disk.lines());
    assertEquals(0, alarms.size());
    assertEquals(List.of("log lines were dropped, 2000 since the start, the last at 2026-11-21T10:00:00.042Z: "
        + error.getMessage()), log.problems().stream().map(OngoingProblem::text).toList());
  }

  @Test
  void countsEveryLineThatAFullDiskLosesAndSaysSo() throws Exception {
    countsWhatAFailingOutputLoses(new IOException("No space left on device"));
  }

  @Test
  void goesOnAfterAnyErrorOfTheOutput() throws Exception {
    countsWhatAFailingOutputLoses(new IllegalStateException("a bug"));
  }

  @Test
  void countsEveryLineForAFileOfAFullDevice() throws Exception {
    Path full = Path.of("/dev/full");
    Needs.possible(Files.exists(full), "there is no /dev/full");
    try (FileOutputStream out = new FileOutputStream(full.toFile())) {
      LogWriter writer = new LogWriter(out, alarms::add);
      Log log = log(writer);
      for (int i = 0; i < 5_000; i++) {
        log.info("line " + i);
      }
      writer.close();
      assertEquals(5_000, writer.dropped());
      assertEquals(1, alarms.size());
    }
  }

  @Test
  void losesNothingWhereAFileTakesAll() throws Exception {
    Path file = Files.createTempFile("portcullis", ".log");
    try (FileOutputStream out = new FileOutputStream(file.toFile())) {
      LogWriter writer = new LogWriter(out, alarms::add);
      Log log = log(writer);
      for (int i = 0; i < 5_000; i++) {
        log.info("line " + i);
      }
      writer.close();
      assertEquals(0, writer.dropped());
      assertEquals(5_000, Files.readAllLines(file).size());
    } finally {
      Files.delete(file);
    }
  }

  /** The first chunk may be full before the thread that writes has begun. */
  @RepeatedTest(20)
  void writesLinesThatCameBeforeItsThreadBegan() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    LogWriter writer = new LogWriter(out);
    Log log = log(writer);
    String large = "x".repeat(70 << 10);
    for (int i = 0; i < 4; i++) {
      log.info(large);
    }
    writer.close();
    assertEquals(0, writer.dropped());
    assertEquals(4, out.toString(StandardCharsets.UTF_8).lines().count());
  }

  /** A line that is cut is ended before the next one, and counts as lost. */
  @Test
  void endsALineThatWasCut() throws Exception {
    Path file = Files.createTempFile("portcullis", ".log");
    try (FileOutputStream out = new FileOutputStream(file.toFile())) {
      LogOutput output = new LogOutput(out);
      byte[] text = "one\ntwo\nthree".getBytes(StandardCharsets.UTF_8);
      assertEquals(2, output.write(ByteBuffer.wrap(text), text.length, 2));
      assertEquals(1, output.write(ByteBuffer.wrap("four\n".getBytes(StandardCharsets.UTF_8)), 5, 1));
      assertEquals(List.of("one", "two", "three", "four"), Files.readAllLines(file));
    } finally {
      Files.delete(file);
    }
  }
}
