package portcullis.floors;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Every thread that lasts is a background task, which survives any exception, logs it and counts it in a metric
 * (BackgroundTaskTest, UncaughtErrorsTest).
 */
class ThreadsTest {
  private static final Path SOURCES = Path.of("src/portcullis");
  private static final Pattern MADE = Pattern
      .compile("Thread\\.of(Virtual|Platform)\\(|startVirtualThread|new Thread\\(|Executors\\.|ThreadPoolExecutor\\(|"
          + "new Timer\\(|ForkJoinPool|CompletableFuture\\.(run|supply)Async");

  /** What one task is for and then ends: an exception in it ends nothing else. */
  private static final Set<String> OF_ONE_TASK = Set.of(
      // one connection, request, call, stream or response
      "http/server/Http2.java", "http/client/BaseClient.java", "http/client/BodyReceiver.java",
      "http/client/Http2Connection.java", "http/client/Transport.java", "policy/endpoint/ClientPool.java",
      "serve/service/CopiedTunnel.java", "serve/stream/LiveStream.java", "background/VirtualThreadPool.java",
      // one fetch, export, lookup, verification or decision, whose caller learns how it has ended
      "policy/authenticator/IssuerKeys.java", "observe/otel/Exchange.java", "http/client/Resolver.java",
      "crypto/passwords/PasswordChecks.java", "crypto/keys/SignatureThreads.java", "serve/stream/StreamRegistry.java",
      "verify/Suite.java",
      // the start and the end of the process
      "crypto/keys/CryptoProvider.java", "serve/runtime/Server.java", "serve/runtime/RunningServices.java",
      "background/SocketPoller.java",
      "cli/DemoRun.java");

  @Test
  void everyThreadThatLastsIsABackgroundTask() throws IOException {
    Set<String> found = new TreeSet<>();
    try (var files = Files.walk(SOURCES)) {
      List<Path> sources = files.filter(file -> file.toString().endsWith(".java")).toList();
      for (Path file : sources) {
        if (makesOtherThreads(file)) {
          found.add(SOURCES.relativize(file).toString());
        }
      }
    }
    assertEquals(new TreeSet<>(OF_ONE_TASK), found);
  }

  /** Whether a thread is made in some statement other than one that makes a background task. */
  private static boolean makesOtherThreads(Path file) {
    try {
      String text = Files.readString(file).replaceAll("(?s)/\\*.*?\\*/|//[^\\n]*", "");
      return MADE.matcher(text).results().anyMatch(made -> {
        int begin = Math.max(text.lastIndexOf(';', made.start()), text.lastIndexOf('{', made.start()));
        return !text.substring(begin + 1, made.start()).contains("BackgroundTask");
      });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
