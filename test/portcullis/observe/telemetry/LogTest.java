package portcullis.observe.telemetry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lines of the log, and what becomes of them where they are not read. */
class LogTest {
  private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-11-21T10:00:00.042Z"));
  private static final String NASTY = "a\n2026 INF forged\r\0\u001b[31m\u0085\u2028\u202e\"\\x=y\u007f";

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

    List<String> lines() {
      return taken.toString(StandardCharsets.UTF_8).lines().toList();
    }
  }

  private static List<String> lines(Level least, LogFormat format, boolean access, Consumer<Log> shown) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (LogWriter writer = new LogWriter(out)) {
      shown.accept(new Log(least, format, writer, CLOCK, "gate", access));
    }
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @ParameterizedTest
  @EnumSource(LogFormat.class)
  void everyLogEventIsOneLine(LogFormat format) {
    List<String> lines = lines(Level.TRACE, format, true, log -> {
      log.info(NASTY, "_path", NASTY);
      AccessEvent event = log.access(NASTY, 0).add("_path", NASTY);
      event.logStart();
      event.beginEnd(NASTY, NASTY, 0).add("_more", NASTY).logEnd();
    });
    assertEquals(3, lines.size(), lines.toString());
    for (String line : lines) {
      assertTrue(line.chars().allMatch(c -> c >= ' ' && c != 127 && (c < 128 || c > 159) && c != 0x202e), line);
    }
  }

  @ParameterizedTest
  @EnumSource(LogFormat.class)
  void endOfALongRequestIsLoggedAsAnyOther(LogFormat format) {
    List<String> lines = lines(Level.INFO, format, true, log -> {
      for (boolean rests : new boolean[] {false, true}) {
        AccessEvent event = log.access("TX started", 0).add("_path", NASTY);
        event.logStart();
        event.add("_status", 101);
        if (rests) {
          event.rest();
          log.access("TX started", 1).add("_path", "of another request").logStart();
        }
        event.beginEnd("TX finished", "", 2).add("_more", NASTY).logEnd();
      }
    });
    assertEquals(5, lines.size(), lines.toString());
    assertEquals(lines.get(1), lines.get(4));
    assertTrue(lines.get(1).contains("_status") && !lines.get(0).contains("_status"), lines.toString());
  }

  @Test
  void gelfIsAsItsSpecificationWants() throws IOException {
    String line = lines(Level.TRACE, LogFormat.GELF, true, log -> log.warn(NASTY, "_count", 7L, "_text", NASTY))
        .getFirst();
    TreeMap<String, String> members = new TreeMap<>();
    try (JsonParser json = new JsonFactory().createParser(line)) {
      assertEquals(JsonToken.START_OBJECT, json.nextToken());
      while (json.nextToken() != JsonToken.END_OBJECT) {
        String name = json.currentName();
        JsonToken value = json.nextToken();
        assertTrue(value.isScalarValue(), line);
        assertTrue(name.matches("version|host|timestamp|level|short_message|_[\\w.-]+"), name);
        assertEquals(null, members.put(name, value.isNumeric() + " " + json.getText()), name);
      }
    }
    assertEquals("false 1.1", members.get("version"));
    assertEquals("false gate", members.get("host"));
    assertEquals("true 1795255200.042", members.get("timestamp"));
    assertEquals("true 4", members.get("level"));
    assertEquals("false WARN", members.get("_level_name"));
    assertEquals("true 7", members.get("_count"));
    assertEquals("false " + NASTY, members.get("_text"));
    assertEquals("false " + NASTY, members.get("short_message"));
  }

  @Test
  void dropsLinesBelowLevelButNoAccessEvents() {
    List<String> lines = lines(Level.DISABLED, LogFormat.TEXT, true, log -> {
      log.fatal("nobody hears this");
      AccessEvent event = log.access("TX started", CLOCK.millis());
      event.logStart();
      event.beginEnd("TX finished", "", CLOCK.millis()).logEnd();
    });
    assertEquals(2, lines.size());
    assertTrue(lines.getFirst().endsWith(" INF TX started"), lines.toString());
    assertFalse(
        new Log(Level.INFO, LogFormat.TEXT, new LogWriter(OutputStream.nullOutputStream()), CLOCK, "gate", false)
            .logsAccess());
  }

  @Test
  void whatDoesNotFitIsDroppedCountedAndSaid() {
    Stalled out = new Stalled();
    LogWriter writer = new LogWriter(out, _ -> {}, 10);
    Log log = new Log(Level.INFO, LogFormat.TEXT, writer, CLOCK, "gate");
    for (int i = 0; i < 50; i++) {
      log.info("line " + i);
    }
    assertEquals(40, writer.dropped());
    out.release.countDown();
    writer.close();
    assertEquals(40, out.lines().stream().filter(l -> l.contains("ERR Log lines were dropped"))
        .mapToInt(l -> Integer.parseInt(l.substring(l.lastIndexOf('=') + 1))).sum(), out.lines().toString());
  }

  /** What has begun will be told to its end, whatever else is told meanwhile; what cannot be told is not begun. */
  @Test
  void accessEventsAreNeverLost() throws Exception {
    Stalled out = new Stalled();
    LogWriter writer = new LogWriter(out, _ -> {}, 100);
    Log log = new Log(Level.INFO, LogFormat.TEXT, writer, CLOCK, "gate");
    List<AccessEvent> begun = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      AccessEvent event = log.access("TX started", CLOCK.millis()).add("_n", i);
      if (begun.size() == i && event.logStart()) {
        begun.add(event);
      }
      log.info("noise");
    }
    assertTrue(begun.size() >= 33 && begun.size() < 60, "begun: " + begun.size());
    try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
      begun.forEach(event -> pool.execute(() -> event.beginEnd("TX finished", "", CLOCK.millis()).logEnd()));
      pool.shutdown();
      assertTrue(pool.awaitTermination(10, TimeUnit.SECONDS), "the end of a request waits for the log");
    }
    long waited = System.nanoTime();
    assertFalse(log.access("TX started", CLOCK.millis()).add("_n", "late").logStart());
    waited = System.nanoTime() - waited;
    assertTrue(waited >= 90_000_000 && waited < 5_000_000_000L, "waited for " + waited + " ns");
    out.release.countDown();
    writer.close();
    for (int i = 0; i < begun.size(); i++) {
      String end = "_n=" + i;
      assertEquals(2, out.lines().stream().filter(l -> l.contains(" TX ") && l.endsWith(end)).count(), end);
    }
    assertFalse(out.lines().stream().anyMatch(l -> l.contains("late")));
  }

  @Test
  void requestsDoNotWaitForLogThatIsNotRead() {
    Stalled out = new Stalled();
    LogWriter writer = new LogWriter(out, _ -> {}, 100);
    Log log = new Log(Level.INFO, LogFormat.TEXT, writer, CLOCK, "gate");
    List<AccessEvent> begun = Stream.generate(() -> log.access("TX started", 0)).limit(50).toList();
    begun.forEach(event -> assertTrue(event.logStart()));
    begun.forEach(event -> event.beginEnd("TX finished", "", 0).logEnd()); // the log is read after that
    out.release.countDown();
    writer.close();
    assertEquals(100, out.lines().size());
  }

  /**
   * However long lines are and however many tell at once: each is there whole, once, and behind those told before it.
   */
  @Test
  void linesOfManyThreadsDoNotMix() throws Exception {
    int threads = 8;
    int each = 5_000;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (LogWriter writer = new LogWriter(out); var pool = Executors.newVirtualThreadPerTaskExecutor()) {
      Log log = new Log(Level.INFO, LogFormat.TEXT, writer, CLOCK, "gate");
      for (int thread = 0; thread < threads; thread++) {
        String name = Integer.toString(thread);
        pool.execute(() -> {
          for (int i = 0; i < each; i++) {
            log.access("TX", 0).add("_thread", name).add("_n", i)
                .plain("_long", name.repeat(i % 1_000 == 0 ? 200_000 : i % 300)).logOnly();
            if (i % 1_000 == 0) {
              Thread.yield();
            }
          }
        });
      }
      pool.shutdown();
      assertTrue(pool.awaitTermination(60, TimeUnit.SECONDS));
      assertEquals(0, writer.dropped());
    }
    int[] next = new int[threads];
    Pattern form = Pattern.compile(".* INF TX _thread=(\\d) _n=(\\d+) _long=.*");
    for (String line : out.toString(StandardCharsets.UTF_8).lines().toList()) {
      Matcher found = form.matcher(line);
      assertTrue(found.matches(), () -> line.substring(0, Math.min(80, line.length())));
      int thread = Integer.parseInt(found.group(1));
      int n = next[thread]++;
      assertEquals(n, Integer.parseInt(found.group(2)));
      String text = line.substring(line.indexOf("_long=") + 6).replace("\"", "");
      assertTrue(text.equals(found.group(1).repeat(n % 1_000 == 0 ? 200_000 : n % 300)),
          "line " + n + " has " + text.length());
    }
    assertArrayEquals(new int[] {each, each, each, each, each, each, each, each}, next);
  }
}
