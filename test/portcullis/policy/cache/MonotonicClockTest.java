package portcullis.policy.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class MonotonicClockTest {
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

  private final AtomicReference<Instant> wall = new AtomicReference<>(START);
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private final MonotonicClock clock = new MonotonicClock(wall::get, nanos::get);

  @Test
  void advancesWithWhatHasPassedOnly() {
    wall.set(START.minusSeconds(3_600));
    assertEquals(START, clock.instant());
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    assertEquals(START.plusSeconds(2), clock.instant());
    assertEquals(START.plusSeconds(2).toEpochMilli(), clock.millis());
  }

  @Test
  void expiryIgnoresChangesOfTheWallClock() {
    MemoryCache cache = new MemoryCache(1 << 20, 0, clock);
    CacheKey key = CacheKey.of("test", "a");
    cache.put(key, new byte[] {1}, Duration.ofMinutes(1));
    wall.set(START.plus(Duration.ofDays(1)));
    assertTrue(cache.get(key).isPresent());
    wall.set(START.minus(Duration.ofDays(1)));
    nanos.addAndGet(Duration.ofMinutes(1).toNanos());
    assertTrue(cache.get(key).isEmpty());
  }
}
