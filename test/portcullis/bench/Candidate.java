package portcullis.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import portcullis.fixture.FreePort;

/** A program at work with some rules; what it costs is read from /proc. */
final class Candidate implements AutoCloseable {
  private static final String CONFIG = """
      %slog: { level: error, format: gelf }
      tracing: { enabled: false }
      metrics: { enabled: false }
      serve: { host: 127.0.0.1, port: %d, timeout: { read: 60s, write: 60s, idle: 60s } }
      management: { host: 127.0.0.1, port: %d }
      mechanisms:
        authenticators: [ { id: anon, type: anonymous }, { id: deny, type: unauthorized } ]
        finalizers: [ { id: nothing, type: noop } ]
      default_rule: { execute: [ { authenticator: deny }, { finalizer: nothing } ] }
      providers: { file_system: { src: "%s", watch: false%s } }
      """;
  private static final double TICKS_A_SECOND = 100;

  private final Process process;
  private final int port;
  private final Duration start;

  /** @param path that its rules answer 200 to, for the first request */
  Candidate(List<String> command, String mode, String rules, Path folder, String path)
      throws IOException, InterruptedException {
    this(command, mode, rules, folder, path, "", "");
  }

  /** @param section of the configuration, ended by a line feed. @param provider more keys of the provider */
  Candidate(List<String> command, String mode, String rules, Path folder, String path, String section, String provider)
      throws IOException, InterruptedException {
    port = FreePort.next();
    Path file = Files.writeString(folder.resolve("rules.yaml"), "version: \"1alpha4\"\nrules:\n" + rules);
    Path config = Files.writeString(folder.resolve("config.yaml"),
        CONFIG.formatted(section, port, FreePort.next(), file, provider));
    List<String> words = new ArrayList<>(command);
    words.addAll(List.of("serve", mode, "-c", config.toString(), "--insecure"));
    long begin = System.nanoTime();
    process = new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
    Load first = new Load(port, 1, _ -> path);
    while (first.run(1, Duration.ofSeconds(30)) == 0) {
      if (!process.isAlive() || System.nanoTime() - begin > Duration.ofMinutes(2).toNanos()) {
        close();
        throw new IOException(command + " does not answer");
      }
      Thread.sleep(10);
    }
    start = Duration.ofNanos(System.nanoTime() - begin);
  }

  int port() {
    return port;
  }

  /** How long it took from the start to the first right answer. */
  Duration start() {
    return start;
  }

  double cpuSeconds() throws IOException {
    String stat = Files.readString(Path.of("/proc", "" + process.pid(), "stat"));
    String[] words = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(words[11]) + Long.parseLong(words[12])) / TICKS_A_SECOND;
  }

  /** Its resident memory. */
  double megabytes() throws IOException {
    Matcher found = Pattern.compile("VmRSS:\\s+(\\d+)")
        .matcher(Files.readString(Path.of("/proc", "" + process.pid(), "status")));
    return found.find() ? Long.parseLong(found.group(1)) / 1024.0 : 0;
  }

  /** Asks for that path and gives the CPU time of a request in microseconds, once as much time has gone unmeasured. */
  double cpuMicros(Load load, long requests, Duration atMost) throws IOException, InterruptedException {
    load.run(Integer.MAX_VALUE, atMost);
    double before = cpuSeconds();
    long good = load.run(requests, atMost);
    if (good == 0) {
      throw new IOException("no request was answered");
    }
    return (cpuSeconds() - before) / good * 1e6;
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(15, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
