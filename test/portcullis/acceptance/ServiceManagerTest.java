package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.FreePort;
import portcullis.fixture.Needs;
import portcullis.fixture.RunningImage;
import portcullis.fixture.TestCertificate;

/** The program as a service: what it sends a service manager, its unit in a systemd, and {@code health} beside it. */
class ServiceManagerTest {
  private static final TestCertificate ROOT = CertificateDraft.authority("root");

  /** Prints what comes to a datagram socket. */
  private static final String RECEIVER = """
      import socket, sys
      receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
      receiver.bind(sys.argv[1])
      receiver.settimeout(60)
      print('receiving', flush=True)
      while True:
          print(receiver.recv(4096).decode().replace('\\n', ' '), flush=True)
      """;

  private static final Path HOST = Path.of("test/data/service/systemd.sh");
  /** A root with a systemd that is newer than that of most hosts, as .ci/run unpacks it. */
  private static final Path NEWER = Path.of("build/systemd");

  private static final String RULES = """
      version: 1alpha4
      rules:
      - {id: r, match: {routes: [{path: /}]}, execute: [{authenticator: one}]}
      """;

  /** A service that takes three seconds for a reload. */
  private static final String SLOW = """
      import os, signal, socket, time
      def notify(state):
          socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(state.encode(), os.environ['NOTIFY_SOCKET'])
      def reload(*_):
          notify('RELOADING=1\\nMONOTONIC_USEC=%d' % (time.monotonic_ns() // 1000))
          time.sleep(3)
          notify('READY=1\\nSTATUS=reloaded')
      signal.signal(signal.SIGHUP, reload)
      notify('READY=1')
      while True:
          signal.pause()
      """;

  @TempDir
  private Path folder;
  private int management;

  private String config(String keyStore) throws IOException {
    management = FreePort.next();
    String tls = keyStore.isEmpty() ? "" : ", tls: {key_store: {path: \"" + keyStore + "\"}}";
    return """
        serve: {host: 127.0.0.1, port: %d%s}
        management: {host: 127.0.0.1, port: %d%s}
        mechanisms: {authenticators: [{id: one, type: unauthorized}]}
        """.formatted(FreePort.next(), tls, management, tls);
  }

  private void keyStore() throws IOException {
    Files.writeString(folder.resolve("tls.pem"),
        CertificateDraft.of("service").hosts("a.example").issuedBy(ROOT).make().keyStore(ROOT));
    Files.writeString(folder.resolve("root.pem"), ROOT.pem());
  }

  @Test
  void notifiesOfStartReloadAndStop() throws Exception {
    Release.assumeTool("python3");
    Path socket = folder.resolve("notify");
    Path rules = Files.writeString(folder.resolve("r.yaml"), RULES);
    Path file = Files.writeString(folder.resolve("c.yaml"), config("") + "providers: {file_system: {src: r.yaml}}\n");
    Process receiver = new ProcessBuilder("python3", "-c", RECEIVER, socket.toString()).start();
    try (var lines = receiver.inputReader()) {
      assertEquals("receiving", lines.readLine());
      Map<String, String> variables = Map.of("NOTIFY_SOCKET", socket.toString(), "WATCHDOG_USEC", "200000");
      try (RunningImage image = RunningImage.startIn(folder, variables, "serve", "decision", "-c", "c.yaml",
          "--insecure")) {
        image.await("Portcullis started .*_service=decision .*_management=http://127.0.0.1:" + management);
        String ready = lines.readLine();
        assertTrue(ready.matches("READY=1 STATUS=http://127\\.0\\.0\\.1:\\d+, 1 rule, .*"), ready);
        assertEquals("WATCHDOG=1", lines.readLine());
        image.signal("HUP");
        assertTrue(next(lines).matches("RELOADING=1 MONOTONIC_USEC=[1-9]\\d+"));
        assertEquals("READY=1 STATUS=reloaded c.yaml", next(lines));
        Files.writeString(rules, RULES.replace("one}", "two}"));
        image.signal("HUP");
        next(lines);
        String partly = next(lines);
        assertTrue(partly.startsWith("READY=1 STATUS=reloaded c.yaml; Rule set file_system:" + rules
            + " not applied: " + rules + ":3:67: rules[0].execute[0].authenticator: no authenticator `two`"), partly);
        Files.writeString(rules, RULES);
        Files.writeString(file, "logg: {}");
        image.signal("HUP");
        next(lines);
        assertTrue(next(lines).startsWith("READY=1 STATUS=reload of c.yaml failed: c.yaml:1:1: unknown key `logg`"));
        image.await("ERR Configuration reload failed");
        assertEquals(0, image.stop());
        assertEquals("STOPPING=1 STATUS=finishing running requests", next(lines));
      }
    } finally {
      receiver.destroyForcibly();
    }
  }

  private static String next(java.io.BufferedReader lines) throws IOException {
    for (int i = 0; i < 600; i++) {
      String line = lines.readLine();
      if (line == null || !line.equals("WATCHDOG=1")) {
        return String.valueOf(line);
      }
    }
    throw new AssertionError("nothing but WATCHDOG=1; is SIGHUP ignored, as under nohup?");
  }

  @Test
  void unitRunsInSystemd() throws IOException {
    Release.assumeTool("systemd");
    unitRunsIn("");
  }

  @Test
  void unitRunsInNewerSystemd() throws IOException {
    Needs.possible(Files.exists(NEWER.resolve("complete")), "no " + NEWER + ", which .ci/run unpacks on Debian");
    unitRunsIn(NEWER.toAbsolutePath().toString());
  }

  private void unitRunsIn(String root) throws IOException {
    Release.assumeTool("python3");
    Release.assumeTool("ip");
    Release.assumeNamespace("-mpfinuC");
    keyStore();
    Files.writeString(folder.resolve("portcullis.yaml"), config("/etc/portcullis/tls.pem"));
    Files.copy(HOST.resolveSibling("steps"), folder.resolve("steps"));
    Files.writeString(folder.resolve("slow.py"), SLOW);
    Release.run(Map.of(), "bash", HOST.toAbsolutePath().toString(), folder.toString(), Release.program().toString(),
        Path.of("jlink/portcullis.service").toAbsolutePath().toString(), root).assertStatus(0);
  }

  @Test
  void healthReadsTheConfiguration() throws IOException {
    keyStore();
    Files.writeString(folder.resolve("c.yaml"), config("tls.pem"));
    try (RunningImage image = RunningImage.startIn(folder, "serve", "decision", "-c", "c.yaml")) {
      assertEquals("0 ok\n", health("-c", "c.yaml", "--wait", "60s"));
      image.await("Portcullis started");
      String url = "https://127.0.0.1:" + management;
      assertEquals("0 ok\n", health("-c", "c.yaml"));
      assertTrue(health("-e", url).startsWith("1 portcullis: " + url + ": certificate not trusted: "));
      assertTrue(health("-e", url, "--ca", "root.pem").contains("certificate not trusted: "), "another host's name");
      assertTrue(health("-e", url, "--ca", "none.pem").startsWith("1 portcullis: trust store `none.pem`: "));
    }
    assertTrue(health("-c", "c.yaml").contains(": no answer, connection refused"));
  }

  @Test
  void healthTrustsTheGivenIssuer() throws IOException {
    Files.writeString(folder.resolve("tls.pem"),
        CertificateDraft.of("service").hosts("localhost").issuedBy(ROOT).make().keyStore());
    Files.writeString(folder.resolve("root.pem"), ROOT.pem());
    Files.writeString(folder.resolve("c.yaml"), config("tls.pem"));
    try (RunningImage image = RunningImage.startIn(folder, "serve", "decision", "-c", "c.yaml")) {
      image.await("Portcullis started");
      assertEquals("0 ok\n", health("-e", "https://localhost:" + management, "--ca", "root.pem"));
    }
  }

  private String health(String... options) {
    String[] words = new String[options.length + 1];
    words[0] = "health";
    System.arraycopy(options, 0, words, 1, options.length);
    try (RunningImage image = RunningImage.startIn(folder, words)) {
      return image.exitStatus() + " " + image.output();
    }
  }
}
