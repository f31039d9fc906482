package portcullis.serve.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.FreePort;
import portcullis.fixture.Needs;
import portcullis.fixture.RedisServer;
import portcullis.fixture.RedisUsers;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestKeys;
import portcullis.policy.lock.Lock;

/** Fleets on sentinels, on a cluster, and on a Redis with TLS; all of them real servers. */
class FleetTopologiesTest {
  private static final String CLEAR = "tls: {disabled: true}";

  @TempDir
  private Path folder;

  @BeforeEach
  void redis() {
    Needs.program("redis-server");
  }

  private static String key(Lock lock) {
    return "portcullis:{fleet}:locks:" + lock.id();
  }

  private static void share(Instance one, Instance two) {
    Lock lock = one.lock("alice");
    two.awaitLock(lock);
    two.unlock(lock);
    one.awaitUnlock(lock);
    assertEquals(0, one.logged("there is no subscription") + two.logged("there is no subscription"));
  }

  @Test
  void locksSurviveTheFailoverOfTheMaster() {
    try (RedisServer master = RedisServer.start(folder);
        RedisServer replica = RedisServer.start(folder, "--replicaof", "127.0.0.1 " + master.port());
        RedisServer sentinel = RedisServer.sentinel(folder, master, "sentinel down-after-milliseconds mymaster 500",
            "sentinel failover-timeout mymaster 2000")) {
      String settings = "{type: redis-sentinel, config: {nodes: ['127.0.0.1:" + sentinel.port()
          + "'], master: mymaster, " + CLEAR + "}}";
      try (Instance one = Instance.start("one", settings); Instance two = Instance.start("two", settings)) {
        Instance.await("both listen", () -> master.say("PUBSUB CHANNELS portcullis:*").equals("*1"));
        share(one, two);
        Lock before = one.lock("bob");
        two.awaitLock(before);
        Instance.await("it is replicated", () -> replica.say("EXISTS " + key(before)).equals(":1"));
        Instance.await("the sentinel knows the replica",
            () -> sentinel.say("SENTINEL REPLICAS mymaster").equals("*1"));
        master.kill();
        Lock meanwhile = one.lock("carol");
        two.awaitLock(meanwhile);
        Instance.await("the replica has it", () -> replica.say("EXISTS " + key(meanwhile)).equals(":1"));
        assertEquals(":1", replica.say("EXISTS " + key(before)));
        assertTrue(one.holds(before) && two.holds(before));
        Instance.await("they listen there", () -> replica.say("PUBSUB CHANNELS portcullis:*").equals("*1"));
      }
    }
  }

  @Test
  void aClusterOfThreeNodesSharesLocks() {
    int[] buses = {FreePort.next(), FreePort.next(), FreePort.next()};
    try (RedisServer first = node(1, buses[0]);
        RedisServer second = node(2, buses[1]);
        RedisServer third = node(3, buses[2])) {
      List<RedisServer> nodes = List.of(first, second, third);
      String[] slots = {"0 5460", "5461 10922", "10923 16383"};
      for (int i = 0; i < 3; i++) {
        assertEquals("+OK", nodes.get(i).say("CLUSTER ADDSLOTSRANGE " + slots[i]));
        assertEquals("+OK", first.say("CLUSTER MEET 127.0.0.1 " + nodes.get(i).port() + " " + buses[i]));
      }
      for (RedisServer node : nodes) {
        Instance.await("the cluster works", () -> !node.say("SET ready 1").startsWith("-CLUSTERDOWN")
            && node.say("CLUSTER SLOTS").equals("*3"));
      }
      String settings = "{type: redis-cluster, config: {nodes: ['127.0.0.1:" + first.port() + "', '127.0.0.1:"
          + third.port() + "'], " + CLEAR + "}}";
      try (Instance one = Instance.start("one", settings); Instance two = Instance.start("two", settings)) {
        share(one, two);
      }
      nodes.forEach(node -> node.say(RedisUsers.line("fleet") + " +cluster|slots"));
      String asUser = settings.replace(CLEAR, CLEAR + ", credentials: {username: fleet, password: PASSWORD}");
      try (Instance one = Instance.start("one", asUser); Instance two = Instance.start("two", asUser)) {
        share(one, two);
        nodes.forEach(node -> assertEquals("*0", node.say("ACL LOG"), "what was not permitted"));
      }
    }
  }

  private RedisServer node(int number, int bus) {
    return RedisServer.start(folder, "--cluster-enabled", "yes", "--cluster-config-file", number + ".conf",
        "--cluster-port", Integer.toString(bus));
  }

  @Test
  void tlsProtectsLocksAndTheirAnnouncements() throws IOException {
    TestCertificate authority = CertificateDraft.authority("authority");
    TestCertificate server = CertificateDraft.of("redis").issuedBy(authority).hosts("localhost").make();
    TestCertificate client = CertificateDraft.of("gate").issuedBy(authority).make();
    Path trust = Files.writeString(folder.resolve("ca.pem"), authority.pem());
    Path certificate = Files.writeString(folder.resolve("redis.pem"), server.pem());
    Path key = Files.writeString(folder.resolve("redis.key"), TestKeys.pem(server.keys()));
    Path own = Files.writeString(folder.resolve("gate.pem"), client.keyStore());
    try (RedisServer redis = RedisServer.startTls(folder, "--tls-cert-file", certificate.toString(), "--tls-key-file",
        key.toString(), "--tls-ca-cert-file", trust.toString(), "--tls-auth-clients", "yes")) {
      String address = "{type: redis, config: {address: 'localhost:" + redis.port() + "', tls: {trust_store: " + trust;
      String settings = address + ", key_store: {path: " + own + "}}}}";
      try (Instance one = Instance.start("one", settings);
          Instance two = Instance.start("two", settings);
          Instance stranger = Instance.start("stranger", address + "}}}")) {
        share(one, two);
        assertTrue(stranger.fleet().isAway(), "without its certificate");
      }
    }
  }
}
