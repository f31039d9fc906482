package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.FreePort;
import portcullis.fixture.Needs;
import portcullis.fixture.RunningImage;

/** The configuration changes while the built image runs. */
class ReloadTest {
  @TempDir
  private Path folder;

  private void replace(String from, String to) throws IOException {
    Path file = folder.resolve("config.yaml");
    String old = Files.readString(file);
    assertTrue(old.contains(from), old);
    Path aside = Files.writeString(folder.resolve("aside"), old.replace(from, to));
    Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
  }

  @BeforeEach
  void hangupsAreHeard() throws IOException {
    Needs.signal("SIGHUP", 1);
  }

  @Test
  void sighupReloadsWhileARequestIsRunning() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (GuardedSite site = GuardedSite.start(folder, exchange -> {
      if (exchange.getRequestURI().getPath().equals("/open/slow")) {
        arrived.countDown();
        await(release);
      }
      GuardedSite.hello(exchange);
    })) {
      FutureTask<Integer> running = new FutureTask<>(() -> site.status("/open/slow"));
      Thread.ofVirtual().start(running);
      arrived.await();
      assertEquals(401, site.status("/else"));
      replace("[{authenticator: none}, ", "[{authenticator: anon}, {authorizer: no}, ");
      replace("  finalizers:", "  authorizers: [{id: no, type: deny}]\n  finalizers:");
      site.image().signal("HUP");
      site.image().await("Configuration reloaded .*config\\.yaml");
      assertEquals(403, site.status("/else"));
      assertEquals(403, site.status("/open/x")); // its rule has no authorizers of its own
      replace("type: deny", "type: deni");
      site.image().signal("HUP");
      site.image().await("Configuration reload failed .*config\\.yaml:\\d+:\\d+: .*`deni`");
      assertEquals(403, site.status("/else"));
      release.countDown();
      assertEquals(200, running.get());
      assertEquals(0, site.image().stop());
    }
  }

  @Test
  void appliesWatchedFileAndKeepsPorts() throws Exception {
    try (GuardedSite site = GuardedSite.start(folder, GuardedSite::hello)) {
      replace("log: {", "watch: true\nlog: {");
      site.image().signal("HUP");
      site.image().await("Configuration reloaded");
      replace("port: " + site.port(), "port: " + FreePort.next());
      replace("[{authenticator: none}, ", "[{authenticator: anon}, ");
      site.image().await("reload failed .*serve\\.port: a change of this requires a restart; nothing was reloaded");
      assertEquals(401, site.status("/else"));
    }
  }

  @Test
  void aHangupDuringTheStartIsNotLost() throws Exception {
    Files.writeString(folder.resolve("c.yaml"), "log: {level: info}\ntracing: {enabled: false}\nmetrics: {enabled: "
        + "false}\n"
        + "serve: {host: 127.0.0.1, port: " + FreePort.next() + "}\nmanagement: {host: 127.0.0.1, port: "
        + FreePort.next() + "}\n");
    try (RunningImage image = RunningImage.startIn(folder, "serve", "decision", "-c", "c.yaml", "--insecure")) {
      image.await("Starting portcullis");
      image.signal("HUP");
      image.await("Configuration reloaded .*c\\.yaml");
      assertEquals(0, image.stop());
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
