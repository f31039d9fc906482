package portcullis.policy.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import portcullis.lang.address.Network;
import portcullis.policy.cache.CacheKey;

class LockoutsTest {
  private static final Lockout SETTINGS = new Lockout(3, Duration.ofMinutes(15), Duration.ofMinutes(1),
      Duration.ofMinutes(3));
  private static final CacheKey ALICE = CacheKey.of("user", "alice");
  private static final CacheKey BOB = CacheKey.of("user", "bob");

  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-24T00:00:00Z"));
  private final Lockouts lockouts = new Lockouts(now::get);

  private static Optional<Network> network(String address) {
    return Network.parse(address);
  }

  private void fail(CacheKey who, String from, int times) throws Exception {
    for (int i = 0; i < times; i++) {
      lockouts.failed(who, network(from), SETTINGS);
    }
  }

  private Optional<Duration> remaining(CacheKey who, String from) {
    return lockouts.remaining(who, network(from));
  }

  @Test
  void locksOutTheCredentialForTheNetwork() throws Exception {
    fail(ALICE, "192.0.2.1", 2);
    assertEquals(Optional.empty(), remaining(ALICE, "192.0.2.1"));
    fail(ALICE, "192.0.2.1", 1);
    assertEquals(Optional.of(Duration.ofMinutes(1)), remaining(ALICE, "192.0.2.1"));
    now.set(now.get().plusSeconds(60));
    assertEquals(Optional.empty(), remaining(ALICE, "192.0.2.1"));
  }

  @Test
  void thoseOfANetworkAreListedAndEnded() throws Exception {
    fail(ALICE, "192.0.2.1", 3);
    fail(BOB, "192.0.2.1", 2);
    fail(BOB, "198.51.100.7", 3);
    fail(ALICE, "203.0.113.1", 1);
    assertEquals(List.of(new Lockouts.Current(network("192.0.2.1"), 1, Duration.ofMinutes(1)),
        new Lockouts.Current(network("198.51.100.7"), 1, Duration.ofMinutes(1))),
        lockouts.current().stream()
            .sorted(Comparator.comparing(one -> one.network().toString())).toList());
    assertTrue(lockouts.end(network("192.0.2.1")));
    assertEquals(Optional.empty(), remaining(ALICE, "192.0.2.1"));
    assertTrue(remaining(BOB, "198.51.100.7").isPresent(), "of another network");
    fail(BOB, "192.0.2.1", 2);
    assertEquals(Optional.empty(), remaining(BOB, "192.0.2.1"), "failures are forgotten, too");
    assertFalse(lockouts.end(network("192.0.2.2")));
    now.set(now.get().plusSeconds(60));
    assertEquals(List.of(), lockouts.current());
  }

  @Test
  void strangerCannotLockOutAUserOfAnotherNetwork() throws Exception {
    fail(ALICE, "192.0.2.1", 100);
    assertEquals(Optional.empty(), remaining(ALICE, "198.51.100.7"));
    assertEquals(Optional.empty(), remaining(BOB, "192.0.2.1"));
    assertTrue(remaining(ALICE, "192.0.2.1").isPresent());
  }

  @Test
  void furtherLockoutsTakeLonger() throws Exception {
    for (int minutes : new int[] {1, 2, 3, 3}) {
      fail(ALICE, "192.0.2.1", 3);
      assertEquals(Optional.of(Duration.ofMinutes(minutes)), remaining(ALICE, "192.0.2.1"));
      now.set(now.get().plus(Duration.ofMinutes(minutes)));
    }
    now.set(now.get().plus(Duration.ofMinutes(4)));
    fail(ALICE, "192.0.2.1", 3);
    assertEquals(Optional.of(Duration.ofMinutes(1)), remaining(ALICE, "192.0.2.1"));
  }

  @Test
  void oldFailuresAndThoseBeforeASuccessDoNotCount() throws Exception {
    fail(ALICE, "192.0.2.1", 2);
    lockouts.succeeded(ALICE, network("192.0.2.1"), SETTINGS);
    fail(ALICE, "192.0.2.1", 2);
    assertEquals(Optional.empty(), remaining(ALICE, "192.0.2.1"));
    now.set(now.get().plus(Duration.ofMinutes(16)));
    fail(ALICE, "192.0.2.1", 2);
    assertEquals(Optional.empty(), remaining(ALICE, "192.0.2.1"));
    fail(ALICE, "192.0.2.1", 1);
    assertTrue(remaining(ALICE, "192.0.2.1").isPresent());
  }

  @Test
  void tryingManyNamesFreesNone() throws Exception {
    fail(ALICE, "192.0.2.1", 3);
    for (int i = 0; i < 100_000; i++) {
      lockouts.failed(CacheKey.of("user", "guess" + i), network("192.0.2.1"), SETTINGS);
    }
    assertTrue(lockouts.size() <= Lockouts.MOST_OF_NETWORK + 1, () -> lockouts.size() + " entries");
    assertTrue(remaining(ALICE, "192.0.2.1").isPresent());
    assertTrue(remaining(CacheKey.of("user", "another"), "192.0.2.1").isPresent());
    assertEquals(Optional.empty(), remaining(CacheKey.of("user", "another"), "198.51.100.7"));
  }

  @Test
  void namesMistypedLongAgoMakeRoomForOthers() throws Exception {
    for (int i = 0; i < Lockouts.MOST_OF_NETWORK - 1; i++) {
      fail(CacheKey.of("user", "typo" + i), "192.0.2.1", 1);
    }
    now.set(now.get().plus(Duration.ofMinutes(14)));
    fail(ALICE, "192.0.2.1", 2);
    fail(BOB, "192.0.2.1", 3); // beyond the places of the network
    assertTrue(remaining(CacheKey.of("user", "another"), "192.0.2.1").isPresent());
    now.set(now.get().plus(Duration.ofMinutes(2)));
    for (int i = 0; i < Lockouts.MOST_OF_NETWORK - 2; i++) {
      fail(CacheKey.of("user", "later" + i), "192.0.2.1", 1);
    }
    assertEquals(Optional.empty(), remaining(CacheKey.of("user", "another"), "192.0.2.1"));
    fail(ALICE, "192.0.2.1", 1);
    assertTrue(remaining(ALICE, "192.0.2.1").isPresent(), "its failures are recent");
  }

  @Test
  void endedLockoutIsRememberedWhileOthersMakeRoom() throws Exception {
    fail(ALICE, "192.0.2.1", 3);
    now.set(now.get().plus(Duration.ofMinutes(2)));
    for (int i = 0; i < Lockouts.MOST_OF_NETWORK; i++) {
      fail(CacheKey.of("user", "guess" + i), "192.0.2.1", 1);
    }
    fail(ALICE, "192.0.2.1", 3);
    assertEquals(Optional.of(Duration.ofMinutes(2)), remaining(ALICE, "192.0.2.1"), "twice as long");
  }

  @Test
  void memoryIsBounded() throws Exception {
    for (int i = 0; i < 150_000; i++) {
      fail(ALICE, "10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255), 1);
    }
    assertEquals(100_000, lockouts.size());
  }

  @Test
  void whatIsSharedAfterAnOutageIsBounded() throws Exception {
    AtomicInteger recorded = new AtomicInteger(-1);
    Lockouts several = Lockouts.shared(now::get, (_, _, _, _) -> {
      if (recorded.get() < 0) {
        throw new RateStore.UnavailableException("away");
      }
      recorded.incrementAndGet();
      return new LockoutStore.State(Duration.ZERO, 1, 0, false);
    }, false);
    for (int i = 0; i < 10_100; i++) {
      several.failed(CacheKey.of("user", "u" + i), network("10.0." + (i >> 8) + "." + (i & 255)), SETTINGS);
    }
    recorded.set(0);
    several.share();
    assertEquals(10_000, recorded.get());
  }
}
