package portcullis.serve.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import portcullis.background.BackgroundTask;
import portcullis.observe.metrics.Metric;
import portcullis.observe.metrics.Registry;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;

/** What becomes of errors that nobody catches. */
final class UncaughtErrorsTest {
  @Test
  void faultsOfAnyThreadAreLoggedAndCounted() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    LogWriter writer = new LogWriter(out);
    Registry registry = new Registry();
    try (UncaughtErrors errors = UncaughtErrors
        .installed(new Log(Level.ERROR, LogFormat.TEXT, writer, InstantSource.system(), ""))) {
      errors.measure(registry);
      AtomicInteger rounds = new AtomicInteger();
      BackgroundTask.start(Thread.ofVirtual().name("poller"), () -> {
        if (rounds.incrementAndGet() == 1) {
          throw new IllegalStateException("top", new IOException("below"));
        }
        return false;
      }).join(Duration.ofSeconds(60));
      for (int i = 1; i <= 2; i++) {
        Thread.ofPlatform().name("worker-" + i).start(() -> {
          throw new OutOfMemoryError("heap");
        }).join();
      }
    }
    writer.close();
    String log = out.toString(StandardCharsets.UTF_8);
    assertTrue(log.contains("ERR Background task failed error="), log);
    assertTrue(log.matches("(?s).*IllegalStateException: top at .*, caused by java.io.IOException: below at "
        + ".*_thread=poller.*"), log);
    Metric metric = registry.read().getFirst();
    assertEquals("portcullis.background.errors", metric.name());
    assertEquals(Map.of("poller", "1", "worker-N", "2"), metric.samples().stream().collect(Collectors.toMap(
        sample -> sample.attributes().get("thread.name").toString(),
        sample -> sample.value().toString().replaceAll("\\D", ""))));
  }
}
