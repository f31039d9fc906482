package portcullis.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import portcullis.fixture.Await;
import portcullis.fixture.FreePort;

/**
 * Asks a service as fast as it answers for a long time, its log going to a file: {@code Soak PROGRAM FOLDER SECONDS}.
 * Prints its memory as time goes by. Fails where an answer is not 200, where the log does not have each request exactly
 * once, and where memory grows. Of disk it takes some 800 bytes a request, given back as they are read where the file
 * system can do that.
 */
public final class Soak {
  private static final String CONFIG = """
      log: { level: info, format: gelf }
      tracing: { enabled: false }
      metrics: { enabled: true }
      serve: { host: 127.0.0.1, port: %d }
      management: { host: 127.0.0.1, port: %d }
      mechanisms:
        authenticators: [ { id: anon, type: anonymous } ]
        finalizers: [ { id: user, type: header, config: { headers: { X-User: "{{ .Subject.ID }}" } } } ]
      providers: { file_system: { src: rules.yaml, watch: true } }
      """;
  private static final String RULES = """
      version: "1alpha4"
      rules:
        - id: soak
          match: { routes: [ { path: "/soak/:number" }, { path: "/awaited" } ] }
          execute: [ { authenticator: anon }, { finalizer: user } ]
      """;
  private static final String PATH = "/soak/";
  private static final int CONNECTIONS = 64;
  private static final int LOOKS = 20;
  private static final Duration READING = Duration.ofMillis(500);
  /** What the last quarter may take more than the second; by then all is compiled and the heap has its size. */
  private static final double GROWTH = 1.1;

  private final Path folder;
  private final Duration time;
  private final int port = FreePort.next();
  private final int metricsPort = FreePort.next();
  private final AtomicLong sent = new AtomicLong();
  private final List<Double> memory = new ArrayList<>();

  private Soak(Path folder, Duration time) throws IOException {
    this.folder = folder;
    this.time = time;
  }

  public static void main(String[] words) throws Exception {
    Path folder = Files.createDirectories(Path.of(words[1]));
    Soak soak = new Soak(folder, Duration.ofSeconds(Long.parseLong(words[2])));
    List<String> complaints = soak.run(Path.of(words[0]).toAbsolutePath());
    complaints.forEach(System.out::println);
    if (!complaints.isEmpty()) {
      System.out.println("soak: failed, the end of its log is in " + soak.log());
      System.exit(1);
    }
    Files.delete(soak.log());
    System.out.println("soak: passed");
  }

  private Path log() {
    return folder.resolve("log");
  }

  private List<String> run(Path program) throws IOException, InterruptedException {
    Files.writeString(folder.resolve("config.yaml"), CONFIG.formatted(port, FreePort.next()));
    Files.writeString(folder.resolve("rules.yaml"), RULES);
    ProcessBuilder builder = new ProcessBuilder(program.toString(), "serve", "decision", "-c", "config.yaml",
        "--insecure").directory(folder.toFile()).redirectErrorStream(true).redirectOutput(log().toFile());
    builder.environment()
        .putAll(Map.of("OTEL_METRICS_EXPORTER", "prometheus", "OTEL_EXPORTER_PROMETHEUS_PORT", "" + metricsPort));
    Process process = builder.start();
    try (SoakLog log = new SoakLog(log(), PATH)) {
      long good = load(process, log);
      end(process);
      log.read();
      return complaints(process.exitValue(), good, log);
    } finally {
      end(process);
    }
  }

  private static void end(Process process) throws InterruptedException {
    process.destroy();
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }

  private void await(Process process) throws IOException, InterruptedException {
    Await.until(() -> {
      if (!process.isAlive()) {
        throw new IOException("it has ended, see " + log());
      }
      return new Load(port, 1, _ -> "/awaited").run(1, Duration.ofSeconds(30)) != 0;
    }, () -> "it does not answer, see " + log());
  }

  /** Asks, and looks at the memory in between; the result is how many answers were good. */
  private long load(Process process, SoakLog log) throws IOException, InterruptedException {
    await(process);
    AtomicLong good = new AtomicLong();
    Load load = new Load(port, CONNECTIONS, _ -> PATH + sent.getAndIncrement());
    Thread asking = Thread.ofPlatform().start(() -> {
      try {
        good.set(load.run(Integer.MAX_VALUE, time));
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    });
    long begin = System.nanoTime();
    while (!asking.join(READING)) {
      log.read();
      if (System.nanoTime() - begin < time.dividedBy(LOOKS).multipliedBy(memory.size() + 1).toNanos()) {
        continue;
      }
      log.free();
      memory.add(megabytes(process));
      System.out.printf("%8d requests, %6.1f MB%s%n", sent.get(), memory.getLast(), scraped() ? "" : ", no metrics");
    }
    return good.get();
  }

  private static double megabytes(Process process) throws IOException {
    Matcher found = Pattern.compile("VmRSS:\\s+(\\d+)")
        .matcher(Files.readString(Path.of("/proc", "" + process.pid(), "status")));
    return found.find() ? Long.parseLong(found.group(1)) / 1024.0 : 0;
  }

  /** Metrics are fetched as Prometheus would. */
  private boolean scraped() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), metricsPort)) {
      socket.setSoTimeout(30_000);
      String request = "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String text = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return text.contains("http_server_request_duration_seconds_count");
    }
  }

  private List<String> complaints(int status, long good, SoakLog log) {
    List<String> out = new ArrayList<>();
    if (status != 0) {
      out.add("it ended with status " + status);
    }
    if (good != sent.get()) {
      out.add(sent.get() + " requests were sent, " + good + " were answered with 200");
    }
    System.out.printf("%d requests sent, %d TX finished, of %d different ones; the log has %d MB%n", sent.get(),
        log.lines(),
        log.different(), log.megabytes());
    if (log.lines() != sent.get() || log.different() != sent.get() || log.bound() != sent.get()) {
      out.add("the log does not have each request exactly once");
    }
    double second = mean(memory.subList(memory.size() / 4, memory.size() / 2));
    double last = mean(memory.subList(memory.size() * 3 / 4, memory.size()));
    System.out.printf("memory: %.1f MB in the second quarter, %.1f MB in the last%n", second, last);
    if (!(last <= second * GROWTH)) {
      out.add("memory grows");
    }
    return out;
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(v -> v).average().orElse(Double.NaN);
  }
}
