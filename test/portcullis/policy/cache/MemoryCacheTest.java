package portcullis.policy.cache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class MemoryCacheTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int COST = 64 + 184;

  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));

  private MemoryCache cache(long bytes, long entries) {
    return new MemoryCache(bytes, entries, now::get);
  }

  private static CacheKey key(int i) {
    return CacheKey.of("test", Integer.toString(i));
  }

  private static byte[] value(int size) {
    return new byte[size];
  }

  private void later(Duration time) {
    now.updateAndGet(n -> n.plus(time));
  }

  @Test
  void keepsAValueForItsTimeAndNoLonger() {
    MemoryCache cache = cache(10_000, 0);
    assertFalse(cache.put(key(1), new byte[] {7}, MINUTE), "no other instance finds it");
    later(MINUTE.minusMillis(1));
    assertArrayEquals(new byte[] {7}, cache.get(key(1)).orElseThrow());
    later(Duration.ofMillis(1));
    assertTrue(cache.get(key(1)).isEmpty());
    assertEquals(0, cache.size());
    assertEquals(0, cache.bytes());
  }

  @Test
  void aHitDoesNotProlongAnEntry() {
    MemoryCache cache = cache(10_000, 0);
    cache.put(key(1), value(1), MINUTE);
    later(Duration.ofSeconds(40));
    assertTrue(cache.get(key(1)).isPresent());
    later(Duration.ofSeconds(40));
    assertTrue(cache.get(key(1)).isEmpty());
  }

  @Test
  void aNewEntryRemovesUpToTwoExpiredOnes() {
    MemoryCache cache = cache(10_000, 0);
    for (int i = 0; i < 10; i++) {
      cache.put(key(i), value(1), MINUTE);
    }
    later(MINUTE);
    int before = cache.size();
    for (int i = 20; i < 23; i++) {
      cache.put(key(i), value(1), MINUTE);
      assertTrue(cache.size() >= before - 1, () -> cache.size() + " left");
      before = cache.size();
    }
    assertTrue(before < 13 - 2, before + " left");
  }

  /** The second of the four is inspected next. */
  @Test
  void removingAnExpiredEntryIsNotAnInspection() {
    MemoryCache cache = cache(10_000, 0);
    for (int i = 0; i < 4; i++) {
      cache.put(key(i), value(1), MINUTE);
    }
    later(MINUTE);
    assertTrue(cache.get(key(1)).isEmpty());
    assertEquals(3, cache.size());
    cache.put(key(4), value(1), MINUTE);
    assertEquals(2, cache.size());
  }

  @Test
  void nonPositiveLifetimeRemovesTheEntry() {
    MemoryCache cache = cache(10_000, 0);
    for (Duration time : List.of(Duration.ZERO, Duration.ofSeconds(-5))) {
      cache.put(key(1), value(1), MINUTE);
      cache.put(key(1), value(2), time);
      assertTrue(cache.get(key(1)).isEmpty());
    }
  }

  @Test
  void aTimeBeyondAllBoundsIsLongButNoError() {
    MemoryCache cache = cache(10_000, 0);
    cache.put(key(1), value(1), Duration.ofSeconds(Long.MAX_VALUE));
    later(Duration.ofDays(3650));
    assertTrue(cache.get(key(1)).isPresent());
  }

  @Test
  void anEntryCostsItsKeyItsValueAnd184Bytes() {
    MemoryCache cache = cache(10_000, 0);
    cache.put(key(1), value(100), MINUTE);
    assertEquals(COST + 100, cache.bytes());
    cache.put(key(1), value(10), MINUTE);
    assertEquals(COST + 10, cache.bytes());
  }

  @Test
  void reportsTypeEntriesAndBytes() {
    MemoryCache cache = cache(10_000, 0);
    cache.put(key(1), value(100), MINUTE);
    cache.put(key(2), value(10), MINUTE);
    assertEquals(Optional.of(new Cache.Load("in-memory", 2, 2 * COST + 110)), cache.load());
    assertEquals(Optional.empty(), Cache.none().load());
  }

  @Test
  void theOldestEntriesMakeRoomForBytes() {
    MemoryCache cache = cache(3 * COST + 30, 0);
    for (int i = 0; i < 4; i++) {
      cache.put(key(i), value(10), MINUTE);
    }
    assertEquals(List.of(1, 2, 3), present(cache, 4));
    cache.put(key(4), value(COST + 20), MINUTE);
    assertEquals(List.of(3, 4), present(cache, 5));
  }

  @Test
  void theOldestEntriesMakeRoomForOthersInNumber() {
    MemoryCache cache = cache(1 << 20, 2);
    for (int i = 0; i < 5; i++) {
      cache.put(key(i), value(1), MINUTE);
    }
    assertEquals(List.of(3, 4), present(cache, 5));
  }

  @Test
  void tooLargeValueIsNotStoredAndEvictsNothing() {
    MemoryCache cache = cache(2 * COST, 0);
    cache.put(key(1), value(1), MINUTE);
    cache.put(key(2), value(2 * COST), MINUTE);
    assertEquals(List.of(1), present(cache, 3));
  }

  @Test
  void expiredEntriesAreRemovedAsNewOnesCome() {
    MemoryCache cache = cache(1 << 20, 0);
    for (int i = 0; i < 100; i++) {
      cache.put(key(i), value(1), i % 2 == 0 ? MINUTE : MINUTE.multipliedBy(10));
    }
    later(MINUTE);
    for (int i = 100; i < 200; i++) {
      cache.put(key(i), value(1), MINUTE);
    }
    assertEquals(150, cache.size());
    assertEquals(150 * (COST + 1), cache.bytes());
  }

  @Test
  void staysWithinItsBoundsUnderEightThreads() throws InterruptedException {
    MemoryCache cache = cache(100 * (COST + 8), 50);
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      int seed = t;
      threads.add(Thread.ofPlatform().start(() -> churn(cache, new Random(seed))));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertTrue(cache.size() <= 50);
    assertEquals(present(cache, 200).size(), cache.size());
    assertEquals(present(cache, 200).stream().mapToLong(i -> COST + i % 8).sum(), cache.bytes());
  }

  /** What is found is what was put under that key. */
  private static void churn(MemoryCache cache, Random random) {
    for (int i = 0; i < 20_000; i++) {
      int n = random.nextInt(200);
      cache.get(key(n)).ifPresent(found -> assertEquals(n % 8, found.length));
      cache.put(key(n), value(n % 8), random.nextInt(5) == 0 ? Duration.ZERO : MINUTE);
    }
  }

  @Test
  void theOneThatKeepsNothingKeepsNothing() {
    Cache.none().put(key(1), value(1), MINUTE);
    assertFalse(Cache.none().get(key(1)).isPresent());
  }

  private static List<Integer> present(MemoryCache cache, int below) {
    List<Integer> out = new ArrayList<>();
    for (int i = 0; i < below; i++) {
      if (cache.get(key(i)).isPresent()) {
        out.add(i);
      }
    }
    return out;
  }
}
