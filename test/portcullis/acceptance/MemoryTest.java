package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.Await;
import portcullis.fixture.FreePort;
import portcullis.fixture.Needs;
import portcullis.fixture.RunningImage;

/** How much memory the image takes, and may take. */
final class MemoryTest {
  private static final String CONFIG = """
      log: {level: error}
      tracing: {enabled: false}
      metrics: {enabled: false}
      serve: {host: 127.0.0.1, port: %d}
      management: {host: 127.0.0.1, port: %d}
      mechanisms:
        authenticators: [{id: anon, type: anonymous}, {id: none, type: unauthorized}]
        authorizers: [{id: role, type: cel, config: {expressions: [{expression: "Request.Method == 'GET'"}]}}]
        finalizers: [{id: noop, type: noop}, {id: user, type: header, config: {headers: {X-User: "{{ .Subject.ID }}"}}}]
      default_rule: {execute: [{authenticator: none}, {finalizer: noop}]}
      providers: {file_system: {src: rules.yaml, watch: true}}
      """;

  @TempDir
  private Path folder;

  @Test
  void idleServiceIsSmall() throws Exception {
    int most = megabytes(1, "", "VmRSS");
    assertTrue(most <= 110, "idle it takes " + most + " MB");
  }

  @Test
  void tenThousandRulesFitInAQuarterOfAGigabyte() throws Exception {
    int most = megabytes(10_000, "-Xmx154m", "VmHWM");
    assertTrue(most <= 240, "at its peak it takes " + most + " MB");
  }

  @Test
  void heapIsMeasuredByTheContainersLimit() throws IOException {
    String script = """
        for root in /sys/fs/cgroup /sys/fs/cgroup/memory; do
          group=$root/portcullis-test-$$
          mkdir $group 2>/dev/null || continue
          for limit in $group/memory.max $group/memory.limit_in_bytes; do
            if [ -e $limit ]; then
              echo 268435456 >$limit
              PORTCULLIS_JAVA_OPTIONS=-XX:+PrintFlagsFinal sh -c 'echo $$ >$1/cgroup.procs && exec "$2" --version' sh \
        $group "$1"
              rmdir $group
              exit
            fi
          done
          rmdir $group
        done
        exit 77
        """;
    Release.Outcome outcome = Release.run(Map.of(), "sh", "-c", script, "sh", RunningImage.PROGRAM.toString());
    Needs.possible(outcome.status() != 77, "no control group for memory can be made");
    Matcher heap = Pattern.compile("MaxHeapSize\\s+= (\\d+)").matcher(outcome.output());
    assertTrue(heap.find(), outcome.output());
    assertEquals(0.6 * 256, Long.parseLong(heap.group(1)) / 1024.0 / 1024, 1);
  }

  /** Of a service with so many rules that has answered requests by them. */
  private int megabytes(int rules, String options, String field) throws IOException, InterruptedException {
    int port = FreePort.next();
    Files.writeString(folder.resolve("config.yaml"), CONFIG.formatted(port, FreePort.next()));
    StringBuilder set = new StringBuilder("version: 1alpha4\nrules:\n");
    for (int i = 0; i < rules; i++) {
      set.append("  - {id: r").append(i).append(", match: {routes: [{path: /svc").append(i % 100).append("/api")
          .append(i)
          .append("/:id/items/:item}]}, execute: [{authenticator: anon}, {authorizer: role}, {finalizer: user}]}\n");
    }
    Files.writeString(folder.resolve("rules.yaml"), set);
    Process process = Release
        .process(Map.of("PORTCULLIS_JAVA_OPTIONS", options), RunningImage.PROGRAM.toString(), "serve", "decision", "-c",
            "config.yaml", "--insecure")
        .directory(folder.toFile()).redirectOutput(folder.resolve("log").toFile()).start();
    try {
      Await.until(() -> {
        assertTrue(process.isAlive(), this::log);
        return status(port, 0).startsWith("HTTP/1.1 200");
      }, this::log);
      for (int i = 0; i < 200; i++) {
        assertTrue(status(port, i * 7919 % rules).startsWith("HTTP/1.1 200"));
      }
      Matcher found = Pattern.compile(field + ":\\s+(\\d+)")
          .matcher(Files.readString(Path.of("/proc/" + process.pid() + "/status")));
      assertTrue(found.find());
      return Integer.parseInt(found.group(1)) / 1024;
    } finally {
      process.destroy();
      process.waitFor(10, TimeUnit.SECONDS);
      process.destroyForcibly();
    }
  }

  private String log() {
    try {
      return Files.readString(folder.resolve("log"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** The beginning of the answer to a request that this rule is for; empty where nobody listens. */
  private static String status(int port, int rule) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(20_000);
      String path = "/svc" + rule % 100 + "/api" + rule + "/1/items/2";
      socket.getOutputStream().write(
          ("GET " + path + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (IOException _) {
      return "";
    }
  }
}
