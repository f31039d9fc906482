package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.FreePort;
import portcullis.fixture.RunningImage;

/** How the built image starts and ends. */
class LifeTest {
  @TempDir
  private Path folder;

  @Test
  void stopFinishesRunningRequestsAndRefusesNewOnes() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (GuardedSite site = GuardedSite.start(folder, exchange -> {
      arrived.countDown();
      await(release);
      GuardedSite.hello(exchange);
    })) {
      FutureTask<Integer> running = new FutureTask<>(() -> site.status("/open/slow"));
      Thread.ofVirtual().start(running);
      arrived.await();
      FutureTask<Integer> stopping = new FutureTask<>(() -> site.image().stop());
      Thread.ofVirtual().start(stopping);
      site.image().await("Portcullis stops _requests=1");
      site.image().await("Tearing down service .*_service=proxy");
      assertTrue(refused(site.port()), "a new connection is served while draining");
      release.countDown();
      assertEquals(200, running.get());
      assertEquals(0, stopping.get());
      site.image().await("Portcullis stopped _duration_ms=\\d+ _broken_off=0");
    }
  }

  /** No connection, or one that is closed. */
  private static boolean refused(int port) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.getOutputStream().write("GET /open/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".getBytes());
      String answer = new String(socket.getInputStream().readAllBytes());
      return answer.isEmpty();
    } catch (IOException _) {
      return true;
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void badConfigurationEndsTheStartBeforeAnythingListens() throws IOException {
    int port = FreePort.next();
    Files.writeString(folder.resolve("c.yaml"), "serve: {host: 127.0.0.1, port: " + port + "}\nmanagment: {}\nlog: "
        + "{level: loud}\n");
    try (RunningImage image = RunningImage.startIn(folder, "serve", "proxy", "-c", "c.yaml", "--insecure")) {
      assertEquals(1, image.exitStatus());
      assertEquals("""
          c.yaml:2:1: unknown key `managment`, did you mean `management`?
              managment: {}
              ^^^^^^^^^
          c.yaml:3:14: log.level: `loud` is not known here, right is one of: trace, debug, info, warn, error, fatal, \
          panic, disabled
              log: {level: loud}
                           ^^^^
          2 errors
          """, image.output());
      assertThrows(ConnectException.class, () -> new Socket("127.0.0.1", port).close());
    }
  }

  @Test
  void badRulesEndTheStart() throws IOException {
    Files.createDirectory(folder.resolve("rules"));
    Files.writeString(folder.resolve("rules/r.yaml"), "version: 1alpha4\nrules: [{id: r, match: {routes: [{path: "
        + "x}]}, execute: []}]\n");
    Files.writeString(folder.resolve("c.yaml"), "providers: {file_system: {src: rules}}\n");
    try (RunningImage image = RunningImage.startIn(folder, "serve", "proxy", "-c", "c.yaml", "--insecure")) {
      assertEquals(1, image.exitStatus());
      assertTrue(image.output().contains("rules/r.yaml:2:"), image.output());
      assertFalse(image.output().contains("Exception"), image.output());
    }
  }

  @Test
  void missingConfigurationIsNamedBeforeWhatItLacks() {
    Map<String, String> home = Map.of("HOME", folder.toString());
    try (RunningImage image = RunningImage.startIn(folder, home, "serve", "proxy")) {
      assertEquals(1, image.exitStatus());
      assertTrue(image.output().startsWith("warning: no configuration file was found, name one by `-c FILE`, "),
          image.output());
      assertTrue(image.output().contains("serve: `tls` is missing"), image.output());
    }
  }

  @Test
  void reportsPortInUse() throws IOException {
    try (GuardedSite site = GuardedSite.start(folder, GuardedSite::hello)) {
      try (RunningImage second = RunningImage.startIn(folder, "serve", "proxy", "-c", "config.yaml", "--insecure")) {
        assertEquals(1, second.exitStatus());
        assertTrue(second.output().contains("could not create listener for management service: port "),
            second.output());
      }
      assertEquals(0, site.image().stop());
    }
  }

  @Test
  void wrongUseIsExitStatusTwo() {
    try (RunningImage image = RunningImage.start("serve", "proxy", "--insecur")) {
      assertEquals(2, image.exitStatus());
      assertTrue(image.output().contains("did you mean `--insecure`?"), image.output());
    }
  }
}
