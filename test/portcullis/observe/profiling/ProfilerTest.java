package portcullis.observe.profiling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.GZIPInputStream;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import portcullis.fixture.Needs;
import portcullis.fixture.ProtoReader;

class ProfilerTest {
  private static final Profiler PROFILER = new Profiler(InstantSource.system());

  private static final Map<String, String> HERE = Map.of("monitor", "inMonitorHere", "lock", "lockedHere", "latch",
      "parkedHere");

  @TempDir
  private Path folder;

  @AfterAll
  static void close() {
    PROFILER.close();
  }

  private static List<String> functions(byte[] profile) throws IOException {
    ProtoReader read = ProtoReader.read(new GZIPInputStream(new ByteArrayInputStream(profile)).readAllBytes());
    List<String> strings = read.texts(6);
    return read.messages(5).stream().map(f -> strings.get((int) f.number(2))).toList();
  }

  @Test
  void virtualThreadsAreAmongTheGoroutines() throws IOException, InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    Thread parked = Thread.startVirtualThread(() -> parkedHere(begun, end));
    begun.await();
    try {
      byte[] profile = PROFILER.make(Kind.GOROUTINE, Optional.empty()).orElseThrow().proto();
      assertTrue(functions(profile).stream().anyMatch(f -> f.endsWith("ProfilerTest.parkedHere")),
          () -> "not among them");
    } finally {
      end.countDown();
      parked.join();
    }
  }

  private static void parkedHere(CountDownLatch begun, CountDownLatch end) {
    begun.countDown();
    try {
      end.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** @param locked whether it waits for a lock, which both profiles tell of, and not for another thread only */
  @ParameterizedTest
  @CsvSource({"monitor, true", "lock, true", "latch, false"})
  void aVirtualThreadThatWaitsIsAmongTheWaits(String what, boolean locked) throws Exception {
    Object monitor = new Object();
    ReentrantLock lock = new ReentrantLock();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Thread waiting = Thread.ofVirtual().unstarted(switch (what) {
      case "monitor" -> () -> inMonitorHere(monitor, begun);
      case "lock" -> () -> lockedHere(lock, begun);
      default -> () -> parkedHere(begun, end);
    });
    lock.lock();
    try {
      synchronized (monitor) {
        waiting.start();
        begun.await();
        for (Kind kind : List.of(Kind.MUTEX, Kind.BLOCK)) {
          Map<String, List<Long>> waits = waits(
              PROFILER.make(kind, Optional.of(Duration.ofSeconds(1))).orElseThrow().proto());
          List<Long> values = waits.getOrDefault("ProfilerTest." + HERE.get(what), List.of(0L, 0L));
          boolean shown = locked || kind == Kind.BLOCK;
          assertEquals(shown ? 1 : 0, values.getFirst(), kind + ": " + waits);
          assertEquals(shown, values.getLast() >= Duration.ofMillis(700).toNanos()
              && values.getLast() < Duration.ofSeconds(9).toNanos());
        }
      }
    } finally {
      lock.unlock();
      end.countDown();
      waiting.join();
    }
  }

  @Test
  void sleepingThreadIsNoContention() throws Exception {
    Thread asleep = Thread.startVirtualThread(ProfilerTest::asleepHere);
    try {
      assertFalse(waits(PROFILER.make(Kind.BLOCK, Optional.empty()).orElseThrow().proto())
          .containsKey("ProfilerTest.asleepHere"));
    } finally {
      asleep.interrupt();
      asleep.join();
    }
  }

  private static void asleepHere() {
    try {
      Thread.sleep(Duration.ofMinutes(1));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static void inMonitorHere(Object monitor, CountDownLatch begun) {
    begun.countDown();
    synchronized (monitor) {
      monitor.notifyAll();
    }
  }

  private static void lockedHere(ReentrantLock lock, CountDownLatch begun) {
    begun.countDown();
    lock.lock();
    lock.unlock();
  }

  /** The sums of a profile's values by function, without its package, of those who waited. */
  private static Map<String, List<Long>> waits(byte[] profile) throws IOException {
    ProtoReader read = ProtoReader.read(new GZIPInputStream(new ByteArrayInputStream(profile)).readAllBytes());
    List<String> strings = read.texts(6);
    Map<Long, String> functions = new HashMap<>();
    read.messages(5)
        .forEach(f -> functions.put(f.number(1),
            strings.get((int) f.number(2)).replace("portcullis.observe.profiling.", "")));
    Map<Long, String> locations = new HashMap<>();
    read.messages(4).forEach(l -> locations.put(l.number(1), functions.get(l.messages(4).getFirst().number(1))));
    Map<String, List<Long>> out = new HashMap<>();
    for (ProtoReader sample : read.messages(2)) {
      List<Long> values = sample.packed(2);
      sample.packed(1).forEach(id -> out.merge(locations.get(id), values,
          (a, b) -> List.of(a.get(0) + b.get(0), a.get(1) + b.get(1))));
    }
    return out;
  }

  @Test
  void aVirtualThreadThatWorksIsInTheCpuProfile() throws IOException, InterruptedException {
    AtomicBoolean ended = new AtomicBoolean();
    Thread busy = Thread.startVirtualThread(() -> busyHere(ended));
    try {
      byte[] profile = PROFILER.make(Kind.PROFILE, Optional.of(Duration.ofSeconds(2))).orElseThrow().proto();
      assertTrue(functions(profile).stream().anyMatch(f -> f.endsWith("ProfilerTest.busyHere")), () -> "not in it");
    } finally {
      ended.set(true);
      busy.join();
    }
  }

  private static long busyHere(AtomicBoolean ended) {
    long sum = 0;
    while (!ended.get()) {
      sum += System.nanoTime() % 7;
    }
    return sum;
  }

  @Test
  void onlyOneRecordingIsMadeAtATime() throws IOException, InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicBoolean refused = new AtomicBoolean();
    Thread other = Thread.startVirtualThread(() -> {
      begun.countDown();
      try {
        refused.compareAndSet(false, PROFILER.trace(Duration.ofSeconds(2)).isEmpty());
      } catch (IOException | InterruptedException _) {
        // the assertion below tells
      }
    });
    begun.await();
    while (!refused.get() && other.isAlive()) {
      refused.compareAndSet(false, PROFILER.trace(Duration.ofMillis(1)).isEmpty());
    }
    other.join();
    assertTrue(refused.get());
    byte[] trace = PROFILER.trace(Duration.ofMillis(10)).orElseThrow();
    assertEquals("FLR\0", new String(trace, 0, 4, StandardCharsets.ISO_8859_1));
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void goReadsEveryKind(Kind kind) throws IOException, InterruptedException {
    String go = Needs.program("go").toString();
    Path file = folder.resolve(kind.text());
    Optional<Duration> time = kind == Kind.PROFILE ? Optional.of(Duration.ofSeconds(1)) : Optional.empty();
    Files.write(file, PROFILER.make(kind, time).orElseThrow().proto());
    Process pprof = new ProcessBuilder(go, "tool", "pprof", "-symbolize=none", "-raw", file.toString())
        .redirectErrorStream(true).start();
    String reported = new String(pprof.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, pprof.waitFor(), reported);
    assertTrue(reported.contains("PeriodType:") && reported.contains("Samples:") && reported.contains("Locations"),
        reported);
  }

  @Test
  void aTraceHoldsNoEnvironment() throws Exception {
    Path file = Files.write(folder.resolve("trace.jfr"), PROFILER.trace(Duration.ofMillis(200)).orElseThrow());
    List<String> events = RecordingFile.readAllEvents(file).stream().map(event -> event.getEventType().getName())
        .toList();
    assertTrue(events.contains("jdk.ActiveSetting"), events.toString());
    assertTrue(Collections.disjoint(events, Recorder.LEFT_OUT), events.toString());
  }
}
