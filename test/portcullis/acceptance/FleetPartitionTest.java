package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import portcullis.fixture.Await;
import portcullis.fixture.FreePort;
import portcullis.fixture.Needs;
import portcullis.fixture.RedisServer;
import portcullis.fixture.RunningImage;
import portcullis.fixture.TcpProxy;

/**
 * Three instances of the built image, of which two cannot use Redis: the network loses what they send, what they should
 * receive, or both, and the connections stay.
 */
class FleetPartitionTest {
  private static final String KEY = "5".repeat(64);

  @TempDir
  private Path folder;

  @BeforeEach
  void redis() {
    Needs.program("redis-server");
  }

  private StreamSite site(String name, int redis, String outage) throws IOException {
    Path own = Files.createDirectory(folder.resolve(name));
    Files.writeString(own.resolve("lock.key"), KEY);
    Files.setPosixFilePermissions(own.resolve("lock.key"), PosixFilePermissions.fromString("rw-------"));
    return new StreamSite(own, "", ", locks: {key_file: lock.key}", """
        fleet:
          type: redis
          name: %s
          config: {address: "127.0.0.1:%d", tls: {disabled: true}, secret: of-all-instances}
          on_outage: %s
        """.formatted(name, redis, outage), FreePort.next());
  }

  @ParameterizedTest
  @EnumSource(value = TcpProxy.Mode.class, names = {"NO_REQUESTS", "NO_ANSWERS", "BLACKHOLE"})
  void locksOfBothSidesAreCaughtUpWith(TcpProxy.Mode partition) throws Exception {
    try (RedisServer server = RedisServer.start(folder);
        TcpProxy first = new TcpProxy(server.port());
        TcpProxy second = new TcpProxy(server.port());
        StreamSite allows = site("gate-1", first.port(), "allow");
        StreamSite denies = site("gate-2", second.port(), "deny");
        StreamSite other = site("gate-3", server.port(), "deny")) {
      lock(other, "mallory");
      for (StreamSite one : List.of(allows, denies, other)) {
        await(one, "mallory", 401);
        awaitConnected(one, true);
      }
      first.set(partition);
      second.set(partition);
      for (StreamSite one : List.of(allows, denies)) {
        awaitConnected(one, false);
        assertTrue(status(one).contains("Redis of the fleet cannot be used"), () -> one.image().output());
      }
      awaitConnected(other, true);
      String later = "the other instances will know it when Redis can be used again";
      assertTrue(lock(allows, "here").contains(later));
      assertFalse(lock(other, "there").contains(later));
      assertStatuses(allows, "alice 200, here 401, mallory 401");
      if (partition != TcpProxy.Mode.NO_REQUESTS) { // else the subscription may still receive it
        assertStatuses(allows, "there 200");
      }
      assertStatuses(denies, "alice 503, here 503, there 503, mallory 503");
      assertEquals(200, denies.page("/public"));
      assertStatuses(other, "alice 200, here 200, there 401, mallory 401");
      assertTrue(status(allows).contains("\"pending\":1,"), status(allows));
      first.set(TcpProxy.Mode.PASS);
      second.set(TcpProxy.Mode.PASS);
      long begin = System.nanoTime();
      await(denies, "there", 401);
      await(allows, "there", 401);
      await(denies, "here", 401);
      await(other, "here", 401);
      System.out.println("fleet: after " + partition + " all was caught up with within "
          + Duration.ofNanos(System.nanoTime() - begin).toMillis() + " ms");
      for (StreamSite one : List.of(allows, denies, other)) {
        awaitConnected(one, true);
        assertStatuses(one, "alice 200, here 401, there 401, mallory 401");
      }
    }
  }

  private static String lock(StreamSite site, String subject) {
    try (RunningImage image = RunningImage.startIn(site.folder(), "lock", "-c", "config.yaml", "--subject", subject,
        "--for", "1h", "--reason", "laptop stolen")) {
      assertEquals(0, image.exitStatus(), image.output());
      return image.output();
    }
  }

  private static String status(StreamSite site) throws Exception {
    return site.managed(HttpRequest.newBuilder(), "/status").body();
  }

  /** @param expected subjects, each with the status of its requests */
  private static void assertStatuses(StreamSite site, String expected) throws Exception {
    StringBuilder found = new StringBuilder();
    for (String one : expected.split(", ")) {
      String subject = one.split(" ")[0];
      found.append(found.isEmpty() ? "" : ", ").append(subject).append(' ')
          .append(site.status(site.token(subject, "s", 300)));
    }
    assertEquals(expected, found.toString());
  }

  /** Waits until the instance reports in its status and in its metrics that it can use Redis, or that it cannot. */
  private static void awaitConnected(StreamSite site, boolean connected) throws Exception {
    String expected = connected + " " + (connected ? "1" : "0") + " " + !connected;
    Await.until(() -> shown(site).equals(expected), () -> "shown is " + shown(site) + ", not " + expected);
  }

  /** Returns whether Redis can be used as the status has it and as the metric has it, and whether it is a problem. */
  private static String shown(StreamSite site) throws Exception {
    String status = status(site);
    return status.replaceAll("(?s).*\"connected\":\\s*(\\w+).*", "$1") + " "
        + site.metrics().replaceAll("(?s).*\nportcullis_fleet_connected(?:\\{[^}]*})? ([0-9]+).*", "$1") + " "
        + status.contains("Redis of the fleet cannot be used");
  }

  private static void await(StreamSite site, String subject, int status) throws Exception {
    String token = site.token(subject, "s", 300);
    Await.until(() -> site.status(token) == status, site.image()::output);
  }
}
