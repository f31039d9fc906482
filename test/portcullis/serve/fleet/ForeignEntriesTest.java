package portcullis.serve.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.Needs;
import portcullis.fixture.RedisServer;
import portcullis.policy.lock.Lock;

/** Whoever can write to Redis may write anything. */
class ForeignEntriesTest {
  private static final String KEY = "portcullis:{fleet}:locks:";
  private static final String ID = "0123456789abcdef";
  private static final String IGNORED = "Entries in Redis are ignored";

  @TempDir
  private Path folder;

  @BeforeEach
  void redis() {
    Needs.program("redis-server");
  }

  private static void works(Instance one, Instance two) {
    Lock lock = one.lock("alice");
    two.awaitLock(lock);
    one.unlock(lock);
    two.awaitUnlock(lock);
  }

  @Test
  void nonsenseIsReportedOnceAndIgnored() {
    try (RedisServer server = RedisServer.start(folder);
        Instance one = Instance.start("one", server.port());
        Instance two = Instance.start("two", server.port())) {
      works(one, two);
      for (String value : new String[] {"x", "{}", "\"\\x01\"", "9".repeat(60_000)}) {
        server.say("SET " + KEY + ID + " " + value, "ZADD " + KEY + "index 1 " + ID,
            "SET " + KEY + "revision " + System.nanoTime(),
            "PUBLISH " + KEY + "changes:0 " + value, "PUBLISH " + KEY + "changes:0 " + ID + value);
        works(one, two);
      }
      server.say("ZADD " + KEY + "index inf " + "g".repeat(16), "ZADD " + KEY + "index -1 long-" + "x".repeat(50_000),
          "SET " + KEY + "revision " + System.nanoTime());
      works(one, two);
      Instance.await("it is reported", () -> one.logged(IGNORED) > 0 && two.logged(IGNORED) > 0);
      assertEquals(1, one.logged(IGNORED));
      assertTrue(one.fleet().status().rejected() > 0);
      assertFalse(one.fleet().isAway());
    }
  }

  @Test
  void keysOfAnotherTypeCountAsAnOutageOnly() {
    try (RedisServer server = RedisServer.start(folder);
        Instance one = Instance.start("one", server.port());
        Instance two = Instance.start("two", server.port())) {
      server.say("DEL " + KEY + "revision", "RPUSH " + KEY + "revision a");
      Instance.await("Redis counts as away", () -> one.fleet().isAway());
      Lock lock = one.lock("alice");
      assertTrue(one.holds(lock));
      server.say("DEL " + KEY + "revision");
      two.awaitLock(lock);
    }
  }

  @Test
  void locksOfOthersWithoutTheSecretAreIgnored() {
    String secret = ", secret: of-all-instances";
    try (RedisServer server = RedisServer.start(folder);
        Instance one = Instance.start("one", Instance.settings(server.port(), secret));
        Instance two = Instance.start("two", Instance.settings(server.port(), secret));
        Instance stranger = Instance.start("stranger", server.port())) {
      Lock forged = stranger.lock("alice");
      Instance.await("it is reported", () -> one.logged(IGNORED) > 0 && two.logged(IGNORED) > 0);
      assertFalse(one.holds(forged) || two.holds(forged));
      Lock real = one.lock("bob");
      two.awaitLock(real);
      assertFalse(stranger.holds(real));
      assertEquals(1, one.logged(IGNORED));
    }
  }

  @Test
  void aDamagedLockIsWrittenAgainByWhoKnowsIt() {
    try (RedisServer server = RedisServer.start(folder);
        Instance one = Instance.start("one", server.port())) {
      Lock lock = one.lock("alice");
      one.awaitShared();
      server.say("ZREM " + KEY + "index " + lock.id(), "SET " + KEY + lock.id() + " x",
          "SET " + KEY + "revision " + System.nanoTime());
      Instance.await("it is whole", () -> !server.say("STRLEN " + KEY + lock.id()).equals(":1"));
    }
  }
}
