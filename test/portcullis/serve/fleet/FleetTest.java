package portcullis.serve.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.Needs;
import portcullis.fixture.RedisServer;
import portcullis.fixture.TcpProxy;
import portcullis.policy.lock.Lock;

class FleetTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @TempDir
  private Path folder;

  @BeforeEach
  void redis() {
    Needs.program("redis-server");
  }

  private static String key(Lock lock) {
    return "portcullis:{fleet}:locks:" + lock.id();
  }

  @Test
  void aLockHoldsOnAnotherInstanceWithinASecond() {
    try (RedisServer server = RedisServer.start(folder);
        Instance one = Instance.start("one", server.port());
        Instance two = Instance.start("two", server.port())) {
      Instance.await("both listen", () -> server.say("PUBSUB NUMSUB portcullis:{fleet}:locks:changes:0").equals("*2")
          && subscribers(server) == 2);
      Lock lock = one.lock("alice");
      two.awaitLock(lock);
      long least = Long.MAX_VALUE;
      for (int i = 0; i < 5; i++) { // the machine may be busy
        long before = System.nanoTime();
        Lock next = one.lock("bob " + i);
        two.awaitLock(next);
        least = Math.min(least, System.nanoTime() - before);
        one.unlock(next);
        two.awaitUnlock(next);
      }
      assertTrue(least < SECOND.toNanos());
      assertEquals("command on one", two.locks().all().getFirst().origin());
      assertEquals("command", one.locks().all().getFirst().origin());
      two.unlock(lock);
      one.awaitUnlock(lock);
      one.lock("alice");
      two.awaitLock(lock);
    }
  }

  private static int subscribers(RedisServer server) {
    return server.clients("portcullis") >= 4 ? 2 : 0;
  }

  @Test
  void anInstanceThatStartsKnowsAllLocksAtOnce() {
    try (RedisServer server = RedisServer.start(folder); Instance one = Instance.start("one", server.port())) {
      Lock kept = one.lock("alice");
      Lock removed = one.lock("bob");
      one.unlock(removed);
      one.awaitShared();
      Instance two = Instance.at("two", server.port());
      try (two) {
        two.locks().add(removed); // from its own file
        two.started();
        assertTrue(two.holds(kept));
        assertFalse(two.holds(removed));
      }
    }
  }

  @Test
  void anInstanceKnowsItsOwnLocksAfterARestart() {
    try (RedisServer server = RedisServer.start(folder); Instance two = Instance.start("two", server.port())) {
      Lock own;
      Lock other = two.lock("bob");
      two.awaitShared();
      try (Instance one = Instance.start("one", server.port())) {
        own = one.lock("alice");
        one.awaitShared();
      }
      try (Instance again = Instance.start("one", server.port())) {
        assertEquals(Map.of(own.id(), "command", other.id(), "command on two"), again.locks().all().stream()
            .collect(Collectors.toMap(Lock::id, Lock::origin)));
        again.unlock(own);
        two.awaitUnlock(own);
      }
    }
  }

  @Test
  void anInstanceThatStartsWaitsForASlowRedisForALimitedTime() throws Exception {
    String patient = ", timeout: {write: 10s}";
    try (RedisServer server = RedisServer.start(folder);
        Instance one = Instance.start("one", server.port());
        TcpProxy proxy = new TcpProxy(server.port());
        Instance waiting = Instance.at("two", proxy.port(), patient);
        Instance hurried = Instance.at("three", proxy.port(), patient)) {
      Lock lock = one.lock("alice");
      one.awaitShared();
      proxy.set(TcpProxy.Mode.NO_ANSWERS);
      hurried.fleet().start(Duration.ofMillis(20));
      assertFalse(hurried.holds(lock), "it has started without");
      CompletableFuture<Boolean> knows = new CompletableFuture<>();
      Thread start = Thread.ofVirtual().start(() -> {
        waiting.started();
        knows.complete(waiting.holds(lock));
      });
      Instance.await("it waits", () -> start.getState() == Thread.State.TIMED_WAITING);
      proxy.set(TcpProxy.Mode.PASS);
      assertTrue(knows.get(60, TimeUnit.SECONDS), "it has started with what Redis has");
      hurried.awaitLock(lock);
    }
    assertEquals(Duration.ofSeconds(20), Fleet.FIRST);
  }

  @Test
  void locksEndInRedisToo() {
    try (RedisServer server = RedisServer.start(folder); Instance one = Instance.start("one", server.port())) {
      Lock hour = one.lock("alice", Optional.of(Duration.ofHours(1)));
      Lock endless = one.lock("bob");
      Lock shortly = one.lock("carol", Optional.of(Duration.ofMillis(200)));
      one.awaitShared();
      long left = Long.parseLong(server.say("PTTL " + key(hour)).substring(1));
      assertTrue(left > 0 && left <= 3_600_000, "left: " + left);
      assertEquals(":-1", server.say("PTTL " + key(endless)));
      Instance.await("it has ended", () -> server.say("EXISTS " + key(shortly)).equals(":0"));
      one.awaitUnlock(shortly);
    }
  }

  @Test
  void changesAreFoundWithoutMessages() {
    try (RedisServer server = RedisServer.start(folder, "--user default on nopass ~* &none +@all");
        Instance one = Instance.start("one", server.port());
        Instance two = Instance.start("two", server.port())) {
      Lock lock = one.lock("alice");
      two.awaitLock(lock);
      one.unlock(lock);
      two.awaitUnlock(lock);
      Instance.await("it is reported", () -> two.logged("there is no subscription") > 0);
      one.awaitShared();
      assertEquals(1, one.logged("Changes of locks are not announced"));
      assertFalse(one.fleet().isAway(), "what cannot be announced is found all the same");
    }
  }

  @Test
  void locksMadeWhileRedisWasDownAreShared() {
    try (RedisServer server = RedisServer.start(folder);
        Instance one = Instance.start("one", server.port());
        Instance two = Instance.start("two", server.port())) {
      Lock before = one.lock("alice");
      two.awaitLock(before);
      server.kill();
      Instance.await("Redis is away", () -> one.fleet().isAway() && two.fleet().isAway());
      Lock here = one.lock("bob");
      Lock there = two.lock("carol");
      one.unlock(before);
      assertTrue(one.holds(here) && two.holds(there) && two.holds(before), "what is known stays in force");
      server.start(); // without its data
      two.awaitLock(here);
      one.awaitLock(there);
      two.awaitUnlock(before);
      assertFalse(one.holds(before));
      Instance.await("Redis is back", () -> one.logged("Redis of the fleet can be used again") == 1);
      assertFalse(one.fleet().isAway());
      assertTrue(one.logged("Redis of the fleet cannot be used") <= 3, "once for each cause");
    }
  }

  @Test
  void aFrozenRedisStopsNobodyAndIsCaughtUpWith() {
    try (RedisServer server = RedisServer.start(folder);
        Instance one = Instance.start("one", server.port());
        Instance two = Instance.start("two", server.port())) {
      server.freeze();
      Lock lock = one.lock("alice");
      long least = Long.MAX_VALUE;
      for (int i = 0; i < 5; i++) {
        long before = System.nanoTime();
        one.lock("bob " + i);
        least = Math.min(least, System.nanoTime() - before);
      }
      assertTrue(least < SECOND.toNanos() / 2, "a lock does not wait");
      Instance.await("Redis is away", () -> one.fleet().isAway() && two.fleet().isAway());
      assertTrue(one.holds(lock));
      server.thaw();
      two.awaitLock(lock);
    }
  }

  @Test
  void anInstanceThatWasCutOffCatchesUp() {
    try (RedisServer server = RedisServer.start(folder);
        TcpProxy network = new TcpProxy(server.port());
        Instance one = Instance.start("one", network.port());
        Instance two = Instance.start("two", server.port())) {
      for (TcpProxy.Mode mode : EnumSet.complementOf(EnumSet.of(TcpProxy.Mode.PASS))) {
        network.set(mode);
        Instance.await("it is cut off", () -> one.fleet().isAway());
        Lock there = two.lock("alice " + mode);
        Lock here = one.lock("bob " + mode);
        assertFalse(two.fleet().isAway());
        network.set(TcpProxy.Mode.PASS);
        one.awaitLock(there);
        two.awaitLock(here);
        long before = System.nanoTime();
        two.unlock(there);
        one.awaitUnlock(there);
        assertTrue(System.nanoTime() - before < 15 * SECOND.toNanos());
      }
    }
  }

  @Test
  void whatSomebodyDeletesInRedisIsWrittenAgain() {
    try (RedisServer server = RedisServer.start(folder); Instance one = Instance.start("one", server.port())) {
      Lock lock = one.lock("alice");
      one.awaitShared();
      server.say("FLUSHALL");
      Instance.await("it is there again", () -> server.say("EXISTS " + key(lock)).equals(":1"));
      assertTrue(one.holds(lock));
    }
  }

  @Test
  void anInstanceStartsWithoutRedis() {
    try (RedisServer server = RedisServer.start(folder)) {
      server.kill();
      try (Instance one = Instance.start("one", server.port())) {
        assertTrue(one.fleet().isAway());
        Lock lock = one.lock("alice");
        server.start();
        Instance.await("Redis is back", () -> !one.fleet().isAway() && one.fleet().pending() == 0);
        assertEquals(":1", server.say("EXISTS " + key(lock)));
      }
    }
  }
}
