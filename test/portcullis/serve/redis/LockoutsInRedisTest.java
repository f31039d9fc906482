package portcullis.serve.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.config.Yaml;
import portcullis.crypto.keys.KeyRings;
import portcullis.fixture.Needs;
import portcullis.fixture.RedisServer;
import portcullis.lang.address.Network;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.limit.Lockout;
import portcullis.policy.limit.LockoutStore;
import portcullis.policy.limit.Lockouts;
import portcullis.policy.limit.RateStore;

/** Failed attempts that all instances that share Redis count together. */
class LockoutsInRedisTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Lockout THREE = new Lockout(3, HOUR, HOUR, HOUR);
  private static final CacheKey ALICE = CacheKey.of("user", "alice");
  private static final CacheKey BOB = CacheKey.of("user", "bob");
  private static final Optional<Network> HERE = Network.parse("192.0.2.1");
  private static final Optional<Network> THERE = Network.parse("198.51.100.7");

  private final InstantSource clock = InstantSource.system();
  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-24T00:00:00Z"));
  private final Log log = new Log(Level.DISABLED, LogFormat.TEXT, new LogWriter(new ByteArrayOutputStream()), clock,
      "");

  @TempDir
  private Path folder;

  @BeforeEach
  void redis() {
    Needs.program("redis-server");
  }

  private RedisCache cache(RedisServer server) {
    Problems problems = new Problems();
    return Yaml
        .read(new SourceFile("f", "{address: '127.0.0.1:" + server.port() + "', tls: {disabled: true}}"), problems)
        .flatMap(node -> RedisSettings.TYPES.get("redis").decode(node, problems))
        .flatMap(settings -> settings.cache(false, new KeyRings(clock), clock, log, problems)).orElseThrow();
  }

  private Lockouts lockouts(RedisCache cache, boolean denies) {
    return Lockouts.shared(now::get, cache, denies);
  }

  @Test
  void aRefusedCredentialIsRefusedOnEveryInstance() throws Exception {
    try (RedisServer server = RedisServer.start(folder);
        RedisCache first = cache(server);
        RedisCache second = cache(server)) {
      Lockouts one = lockouts(first, false);
      Lockouts two = lockouts(second, false);
      assertEquals(Optional.empty(), one.failed(ALICE, HERE, THREE));
      assertEquals(Optional.empty(), two.failed(ALICE, HERE, THREE));
      assertEquals(Optional.empty(), one.failed(ALICE, HERE, THREE), "it was not locked out before");
      assertEquals(HOUR, one.remaining(ALICE, HERE).orElseThrow());
      assertEquals(Optional.empty(), two.remaining(ALICE, HERE), "not known there yet");
      assertTrue(two.succeeded(ALICE, HERE, THREE).orElseThrow().compareTo(HOUR) <= 0, "refused all the same");
      assertTrue(two.remaining(ALICE, HERE).isPresent(), "and known from then on");
      assertTrue(two.failed(ALICE, HERE, THREE).isPresent());
      assertEquals(Optional.empty(), two.succeeded(ALICE, THERE, THREE));
      assertEquals(Optional.empty(), two.succeeded(BOB, HERE, THREE));
      assertEquals(1, one.locked());
      assertEquals(0, two.locked());
    }
  }

  @Test
  void whatAnOperatorEndsIsForgottenByAllThatHaveNotRefusedIt() throws Exception {
    try (RedisServer server = RedisServer.start(folder);
        RedisCache first = cache(server);
        RedisCache second = cache(server);
        RedisCache third = cache(server)) {
      Lockouts one = lockouts(first, false);
      Lockouts two = lockouts(second, false);
      Lockouts refused = lockouts(third, false);
      for (int i = 0; i < 3; i++) {
        one.failed(ALICE, HERE, THREE);
      }
      assertTrue(refused.succeeded(ALICE, HERE, THREE).isPresent());
      assertTrue(two.end(HERE), "it knows of it by Redis");
      assertEquals(Optional.empty(), two.succeeded(ALICE, HERE, THREE));
      assertTrue(one.remaining(ALICE, HERE).isPresent() && refused.remaining(ALICE, HERE).isPresent());
      assertTrue(one.end(HERE) && refused.end(HERE));
      assertEquals(Optional.empty(), one.succeeded(ALICE, HERE, THREE));
      assertEquals(Optional.empty(), refused.succeeded(ALICE, HERE, THREE));
      assertFalse(two.end(HERE));
      server.kill();
      assertThrows(RateStore.UnavailableException.class, () -> two.end(HERE));
    }
  }

  @Test
  void aRightOneForgetsFailuresOfAllInstances() throws Exception {
    try (RedisServer server = RedisServer.start(folder);
        RedisCache first = cache(server);
        RedisCache second = cache(server)) {
      Lockouts one = lockouts(first, false);
      Lockouts two = lockouts(second, false);
      for (int i = 0; i < 5; i++) {
        assertEquals(Optional.empty(), one.failed(ALICE, HERE, THREE));
        assertEquals(Optional.empty(), one.failed(ALICE, HERE, THREE));
        now.set(now.get().plusSeconds(1)); // so that it is not known to be right
        assertEquals(Optional.empty(), two.succeeded(ALICE, HERE, THREE));
      }
    }
  }

  @Test
  void attemptsAtTheSameTimeCountOnce() throws Exception {
    try (RedisServer server = RedisServer.start(folder);
        RedisCache one = cache(server);
        RedisCache two = cache(server);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Lockout forty = new Lockout(40, HOUR, HOUR, HOUR);
      List<Future<LockoutStore.State>> all = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        RedisCache instance = i % 2 == 0 ? one : two;
        all.add(threads.submit(() -> instance.record(ALICE, "192.0.2.1/32", forty, false)));
      }
      int begun = 0;
      int refused = 0;
      for (Future<LockoutStore.State> state : all) {
        begun += state.get().begins() ? 1 : 0;
        refused += state.get().wasLocked() ? 1 : 0;
      }
      assertEquals(1, begun);
      assertEquals(60, refused);
    }
  }

  @Test
  void furtherLockoutsTakeLonger() throws Exception {
    try (RedisServer server = RedisServer.start(folder); RedisCache cache = cache(server)) {
      Lockout settings = new Lockout(1, HOUR, Duration.ofMillis(50), Duration.ofMillis(150));
      for (int millis : new int[] {50, 100, 150}) {
        LockoutStore.State state = cache.record(ALICE, "", settings, false);
        while (state.wasLocked()) {
          state = cache.record(ALICE, "", settings, false);
        }
        assertTrue(state.begins());
        assertEquals(millis, state.remaining().toMillis());
      }
    }
  }

  @Test
  void tryingManyNamesFreesNoneAndTakesBoundedMemory() throws Exception {
    try (RedisServer server = RedisServer.start(folder); RedisCache cache = cache(server)) {
      for (int i = 0; i < 3; i++) {
        cache.record(ALICE, "192.0.2.1/32", THREE, false);
      }
      for (int i = 0; i < 300; i++) {
        cache.record(CacheKey.of("user", "guess" + i), "192.0.2.1/32", THREE, false);
      }
      List<String> keys = server.keys("portcullis:lockout:*");
      assertEquals(1, keys.size());
      assertEquals(":" + (Lockouts.MOST_OF_NETWORK + 1), server.say("HLEN " + keys.getFirst()));
      long left = Long.parseLong(server.say("PTTL " + keys.getFirst()).substring(1));
      assertTrue(left > 0 && left <= 2 * HOUR.toMillis(), "left: " + left);
      assertTrue(cache.record(ALICE, "192.0.2.1/32", THREE, true).wasLocked());
      assertTrue(cache.record(CacheKey.of("user", "another"), "192.0.2.1/32", THREE, true).wasLocked());
      assertEquals(Duration.ZERO, cache.record(BOB, "198.51.100.7/32", THREE, true).remaining());
    }
  }

  @Test
  void placesAreFreeAgainWhenTheirTimeIsOver() throws Exception {
    try (RedisServer server = RedisServer.start(folder); RedisCache cache = cache(server)) {
      Lockout brief = new Lockout(3, Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMillis(1));
      cache.record(ALICE, "", THREE, false);
      long end = System.nanoTime() + 20_000_000_000L;
      int before = 0;
      int places = 1;
      for (int i = 0; places >= before; i++) {
        assertTrue(System.nanoTime() < end, "all are taken");
        cache.record(CacheKey.of("user", "guess" + i), "", brief, false);
        before = places;
        places = Integer.parseInt(server.say("HLEN " + server.keys("portcullis:lockout:*").getFirst()).substring(1));
      }
      assertEquals(2, cache.record(ALICE, "", THREE, false).failures());
    }
  }

  @Test
  void withoutRedisEachInstanceCountsOrNothingPasses() throws Exception {
    try (RedisServer server = RedisServer.start(folder); RedisCache cache = cache(server)) {
      Lockouts counts = lockouts(cache, false);
      Lockouts denies = lockouts(cache, true);
      counts.failed(ALICE, HERE, THREE);
      assertEquals(Optional.empty(), denies.succeeded(BOB, HERE, THREE));
      server.kill();
      counts.failed(ALICE, HERE, THREE);
      counts.failed(ALICE, HERE, THREE);
      assertTrue(counts.remaining(ALICE, HERE).isPresent(), "from what was known before");
      assertEquals(Optional.empty(), counts.succeeded(BOB, HERE, THREE));
      assertEquals(Optional.empty(), denies.succeeded(BOB, HERE, THREE), "just confirmed");
      now.set(now.get().plusSeconds(1));
      assertThrows(RateStore.UnavailableException.class, () -> denies.succeeded(BOB, HERE, THREE));
      assertThrows(RateStore.UnavailableException.class, () -> denies.failed(ALICE, HERE, THREE));
      server.start(); // without its data
      now.set(now.get().plusSeconds(1));
      assertTrue(counts.remaining(ALICE, HERE).isPresent(), "a lockout stays in force");
      assertTrue(counts.succeeded(ALICE, HERE, THREE).isPresent());
    }
  }

  @Test
  void whatWasCountedDuringAnOutageIsSharedAfterIt() throws Exception {
    try (RedisServer server = RedisServer.start(folder);
        RedisCache first = cache(server);
        RedisCache second = cache(server)) {
      Lockouts one = lockouts(first, false);
      one.failed(ALICE, HERE, THREE);
      server.kill();
      for (int i = 0; i < 2; i++) {
        one.failed(ALICE, HERE, THREE);
        one.failed(BOB, HERE, THREE);
        one.failed(BOB, THERE, THREE);
      }
      one.succeeded(BOB, THERE, THREE);
      now.set(now.get().plus(HOUR).plusSeconds(1));
      for (int i = 0; i < 3; i++) {
        one.failed(ALICE, THERE, THREE);
      }
      one.share();
      server.start(); // without its data
      long end = System.nanoTime() + 20_000_000_000L;
      while (!second.record(ALICE, "198.51.100.7/32", THREE, true).wasLocked()) {
        assertTrue(System.nanoTime() < end, "the others do not know it");
        one.share();
      }
      assertEquals(1, second.record(BOB, "198.51.100.7/32", THREE, false).failures(), "it was right meanwhile");
      assertEquals(1, second.record(BOB, "192.0.2.1/32", THREE, false).failures(), "too long ago");
      assertEquals(1, second.record(ALICE, "192.0.2.1/32", THREE, false).failures(), "too long ago");
      one.share();
      assertEquals(2, second.record(BOB, "198.51.100.7/32", THREE, false).failures(), "once");
    }
  }
}
