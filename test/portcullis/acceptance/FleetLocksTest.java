package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.Await;
import portcullis.fixture.Needs;
import portcullis.fixture.RedisServer;
import portcullis.fixture.RunningImage;
import portcullis.fixture.TcpProxy;

/** Two instances of the built image share locks, and what holds while Redis is away. */
class FleetLocksTest {
  private static final String KEY = "5".repeat(64);
  private static final String LOCKS = ", locks: {key_file: lock.key}";

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
    return new StreamSite(own, "", LOCKS, """
        fleet:
          type: redis
          name: %s
          config: {address: "127.0.0.1:%d", tls: {disabled: true}, secret: of-all-instances}
          on_outage: %s
        """.formatted(name, redis, outage));
  }

  private static String run(StreamSite site, String... words) {
    try (RunningImage image = RunningImage.startIn(site.folder(), words)) {
      assertEquals(0, image.exitStatus(), image.output());
      return image.output();
    }
  }

  private static void lock(StreamSite site, String subject) {
    run(site, "lock", "-c", "config.yaml", "--subject", subject, "--for", "1h", "--reason", "laptop stolen");
  }

  private static String status(StreamSite site) throws Exception {
    return site.managed(HttpRequest.newBuilder(), "/status").body();
  }

  /** Returns how long a stream on one instance outlives a lock of its subject on another. */
  private static Duration untilEnd(StreamSite one, StreamSite two) throws Exception {
    BlockingQueue<StreamSite.Closed> closed = two.open(two.token("alice", "s", 300));
    lock(one, "alice");
    Instant locked = Instant.parse(run(one, "locks", "-c", "config.yaml", "-o", "json")
        .replaceAll("(?s).*\"since\":\"([^\"]*)\".*", "$1"));
    StreamSite.Closed end = closed.poll(20, TimeUnit.SECONDS);
    assertEquals(1008, end.status());
    return Duration.between(locked, end.at());
  }

  @Test
  void aLockOnOneInstanceEndsAStreamOnAnotherWithinASecond() throws Exception {
    try (RedisServer server = RedisServer.start(folder);
        StreamSite one = site("gate-1", server.port(), "allow");
        StreamSite two = site("gate-2", server.port(), "allow")) {
      Duration time = untilEnd(one, two);
      for (int i = 0; i < 4 && time.compareTo(Duration.ofSeconds(1)) >= 0; i++) { // the machine may be busy
        run(one, "unlock", "-c", "config.yaml", run(one, "locks", "-c", "config.yaml").substring(0, 16));
        await(two, "alice", 200);
        time = untilEnd(one, two);
      }
      System.out.println("fleet: a lock on another instance ended a stream after " + time.toMillis() + " ms");
      assertTrue(time.compareTo(Duration.ofSeconds(1)) < 0, time::toString);
      assertEquals(401, two.status(two.token("alice", "other", 300)));
      assertEquals(200, two.status(two.token("bob", "s", 300)));
      String list = run(two, "locks", "-c", "config.yaml");
      assertTrue(list.contains("reason: laptop stolen  origin: command on gate-1"), list);
      run(two, "unlock", "-c", "config.yaml", list.substring(0, 16));
      one.image().await("Unlocked by another instance");
      assertEquals(200, one.status(one.token("alice", "s", 300)));
    }
  }

  @Test
  void withoutRedisRequestsAreDecidedAsConfigured() throws Exception {
    try (RedisServer server = RedisServer.start(folder);
        TcpProxy network = new TcpProxy(server.port());
        StreamSite allows = site("gate-1", network.port(), "allow");
        StreamSite denies = site("gate-2", network.port(), "deny")) {
      lock(allows, "mallory");
      await(denies, "mallory", 401);
      for (Runnable outage : new Runnable[] {server::freeze, () -> network.set(TcpProxy.Mode.BLACKHOLE),
        () -> network.set(TcpProxy.Mode.DROP), server::kill}) {
        outage.run();
        await(denies, "alice", 503);
        assertEquals(200, allows.status(allows.token("alice", "s", 300)));
        assertEquals(401, allows.status(allows.token("mallory", "s", 300)), "what is known stays in force");
        assertEquals(200, allows.page("/public"));
        assertEquals(200, denies.page("/public"));
        assertTrue(status(denies).contains("Redis of the fleet cannot be used"), status(denies));
        network.set(TcpProxy.Mode.PASS);
        server.thaw();
        server.revive();
        await(denies, "alice", 200);
        await(denies, "mallory", 401);
      }
    }
  }

  private static void await(StreamSite site, String subject, int status) throws Exception {
    String token = site.token(subject, "s", 300);
    Await.until(() -> site.status(token) == status, () -> "the status is " + site.status(token) + ", not " + status);
  }
}
