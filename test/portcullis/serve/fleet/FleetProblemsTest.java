package portcullis.serve.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.Needs;
import portcullis.fixture.RedisServer;
import portcullis.fixture.RedisUsers;
import portcullis.policy.lock.Lock;

/** What an instance reports of Redis, of its clock and of others, and for how long. */
class FleetProblemsTest {
  private static final String CLOCK = "The clock of this instance differs from that of Redis";
  private static final String AWAY = "Redis of the fleet cannot be used";
  private static final String LATE = "Changes of locks arrive up to a second late";
  private static final String BACK = "Redis of the fleet can be used again";

  @TempDir
  private Path folder;

  @BeforeEach
  void redis() {
    Needs.program("redis-server");
  }

  @Test
  void aClockThatDiffersIsReportedUntilItAgrees() {
    try (RedisServer server = RedisServer.start(folder);
        Instance right = Instance.start("right", server.port());
        Instance wrong = Instance.at("wrong", server.port())) {
      wrong.setAhead(Duration.ofMinutes(10));
      wrong.started();
      Instance.await("it is reported", () -> wrong.hasProblem(CLOCK));
      assertTrue(wrong.problems().getFirst().matches(".* (599|600)"), wrong.problems()::toString);
      Instance.await("it is logged", () -> wrong.logged(CLOCK) == 1);
      assertFalse(wrong.fleet().isAway());
      wrong.setAhead(Duration.ofSeconds(-10));
      Instance.await("it lags behind", () -> wrong.problems().toString().matches(".* -(9|10|11)]"));
      wrong.setAhead(Duration.ZERO);
      Instance.await("it has ended", () -> wrong.problems().isEmpty());
      Instance.await("it is logged", () -> wrong.logged("The clock of this instance agrees with that of Redis") == 1);
      assertEquals(2, wrong.logged(CLOCK));
      assertEquals(0, right.logged(CLOCK), "the clocks of others are reported by them");
    }
  }

  @Test
  void aClockThatIsOnlyASecondOffIsTolerated() {
    try (RedisServer server = RedisServer.start(folder); Instance one = Instance.at("one", server.port())) {
      one.setAhead(Duration.ofSeconds(1));
      one.started();
      assertFalse(one.fleet().isAway(), "it has compared");
      assertEquals(0, one.logged(CLOCK));
      one.setAhead(Duration.ofSeconds(-3));
      Instance.await("it is reported", () -> one.hasProblem(CLOCK));
    }
  }

  @Test
  void theLatestCauseOfAnOutageIsListedAndEachIsLoggedOnce() {
    try (RedisServer server = RedisServer.start(folder, "--requirepass one");
        Instance one = Instance.start("one", Instance.settings(server.port(), ", credentials: {password: one}"))) {
      assertFalse(one.fleet().isAway());
      server.kill();
      Instance.await("Redis is away", () -> one.fleet().isAway());
      assertTrue(one.hasProblem(AWAY), one.problems()::toString);
      try (RedisServer other = server.again(folder, "--requirepass two")) {
        Instance.await("the cause is another one", () -> one.hasProblem(AWAY) && one.hasProblem("WRONGPASS"));
        Instance.await("it is logged", () -> one.logged("WRONGPASS") > 0);
        assertEquals(1, one.problems().size(), "there is no subscription either, but that is no problem of its own");
        other.say("AUTH two", "CONFIG SET requirepass one");
        Instance.await("Redis is back", () -> one.problems().isEmpty());
        Instance.await("it is logged", () -> one.logged(BACK) == 1);
        assertEquals(1, one.logged("WRONGPASS"));
        assertEquals(0, one.logged(LATE));
      }
    }
  }

  @Test
  void aSubscriptionThatEndsAgainAndAgainIsReportedOnce() {
    String fleet = "--user default on nopass ~* &* +@all -ping";
    try (RedisServer server = RedisServer.start(folder, fleet);
        Instance one = Instance.start("one", server.port());
        Instance two = Instance.start("two", server.port())) {
      Instance.await("it is reported", () -> two.hasProblem(LATE) && two.hasProblem("NOPERM"));
      for (int i = 0; i < 4; i++) {
        Lock lock = one.lock("alice " + i);
        two.awaitLock(lock);
        one.unlock(lock);
        two.awaitUnlock(lock);
      }
      Instance.await("it is logged", () -> two.logged(LATE) > 0);
      assertEquals(1, two.logged(LATE));
      assertEquals(0, two.logged("Changes of locks arrive at once again"));
      server.say("ACL SETUSER default +ping");
      Instance.await("it has ended", () -> two.problems().isEmpty());
    }
  }

  @Test
  void theUserOfTheDocumentationIsPermittedWhatTheFleetNeeds() {
    try (RedisServer server = RedisServer.start(folder)) {
      assertEquals("+OK", server.say(RedisUsers.line("fleet")));
      String settings = Instance.settings(server.port(), ", db: 3, credentials: {username: fleet, password: PASSWORD}");
      try (Instance one = Instance.start("one", settings); Instance two = Instance.start("two", settings)) {
        Lock lock = one.lock("alice");
        two.awaitLock(lock);
        two.unlock(lock);
        one.awaitUnlock(lock);
        Instance.await("they know each other", () -> one.fleet().status().others().size() == 1);
        two.fleet().leave();
        Instance.await("it has left", () -> one.fleet().status().others().isEmpty());
        assertEquals(List.of(), one.problems());
        assertEquals("*0", server.say("ACL LOG"), "what was not permitted");
      }
    }
  }

  @Test
  void withoutTheTimeOfRedisLocksAreShared() {
    try (RedisServer server = RedisServer.start(folder, "--user default on nopass ~* &* +@all -time");
        Instance one = Instance.start("one", server.port());
        Instance two = Instance.start("two", server.port())) {
      two.awaitLock(one.lock("alice"));
      assertTrue(two.hasProblem("The clock of Redis cannot be read"), two.problems()::toString);
    }
  }

  @Test
  void aRedisThatTakesNoWritesIsNamedAsSuch() {
    try (RedisServer server = RedisServer.start(folder); Instance one = Instance.start("one", server.port())) {
      server.say("CONFIG SET maxmemory 1");
      one.lock("alice");
      Instance.await("it is reported", () -> one.hasProblem("Redis of the fleet takes no writes")
          && one.hasProblem("OOM "));
      assertFalse(one.fleet().awaitShared());
      assertEquals(0, one.logged(AWAY));
      server.say("CONFIG SET maxmemory 0");
      Instance.await("it has ended", () -> one.problems().isEmpty() && one.fleet().awaitShared());
    }
  }

  @Test
  void whoLocksIsToldWhetherOthersLearnOfIt() {
    try (RedisServer server = RedisServer.start(folder); Instance one = Instance.start("one", server.port())) {
      one.lock("alice");
      assertTrue(one.fleet().awaitShared());
      server.freeze();
      one.lock("bob");
      long before = System.nanoTime();
      assertFalse(one.fleet().awaitShared());
      assertTrue(System.nanoTime() - before < Duration.ofSeconds(20).toNanos(), "it does not wait for long");
      server.thaw();
      Instance.await("it is shared", () -> one.fleet().awaitShared());
    }
  }
}
