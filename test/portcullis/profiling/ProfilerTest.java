package portcullis.profiling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import portcullis.fixture.ProtoReader;

class ProfilerTest {
  private static final Profiler PROFILER = new Profiler(InstantSource.system());
  private static final Path GO = Path.of("/usr/local/go/bin/go");

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
      assertTrue(functions(profile).stream().anyMatch(f -> f.endsWith("ProfilerTest.parkedHere")), () -> "not among them");
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
    Assumptions.assumeTrue(Files.isExecutable(GO), "Go is not installed");
    Path file = folder.resolve(kind.text());
    Optional<Duration> time = kind == Kind.PROFILE ? Optional.of(Duration.ofSeconds(1)) : Optional.empty();
    Files.write(file, PROFILER.make(kind, time).orElseThrow().proto());
    Process pprof = new ProcessBuilder(GO.toString(), "tool", "pprof", "-symbolize=none", "-raw", file.toString())
        .redirectErrorStream(true).start();
    String said = new String(pprof.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, pprof.waitFor(), said);
    assertTrue(said.contains("PeriodType:") && said.contains("Samples:") && said.contains("Locations"), said);
  }
}
