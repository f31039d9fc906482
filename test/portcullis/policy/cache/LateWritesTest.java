package portcullis.policy.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LateWritesTest {
  private static final Duration LIFE = Duration.ofHours(1);

  private final SharedCache cache = new SharedCache(new MemoryCache(1 << 20, 0, () -> at(0)));
  private final LateWrites late = new LateWrites(2);

  private static Instant at(long second) {
    return Instant.ofEpochSecond(1_000_000 + second);
  }

  private void store(String key, long second) throws CacheException {
    late.store(cache, CacheKey.of(key), at(second), LIFE, at(0));
  }

  private void fails(String key, long second) {
    cache.away = true;
    assertThrows(CacheException.class, () -> store(key, second));
    cache.away = false;
  }

  private Optional<Instant> stored(String key) {
    return LateWrites.tryFind(cache, CacheKey.of(key));
  }

  @Test
  void anEarlierTimeNeverReplacesALaterOne() throws Exception {
    store("a", 5);
    store("a", 3);
    assertEquals(Optional.of(at(5)), stored("a"));
    store("a", 7);
    assertEquals(Optional.of(at(7)), stored("a"));
  }

  @Test
  void whatIsSharedLaterDoesNotReplaceWhatOthersHaveStoredMeanwhile() throws Exception {
    fails("a", 3);
    new LateWrites(2).store(cache, CacheKey.of("a"), at(5), LIFE, at(0));
    late.share(cache, at(1));
    assertEquals(Optional.of(at(5)), stored("a"));
    assertFalse(late.has(CacheKey.of("a")));
  }

  @Test
  void theLatestOfThoseThatAreKeptIsShared() throws Exception {
    fails("a", 5);
    fails("a", 3);
    store("a", 2);
    assertTrue(late.has(CacheKey.of("a")), "an earlier time in the cache is not the one that is kept");
    late.share(cache, at(1));
    assertEquals(Optional.of(at(5)), stored("a"));
  }

  @Test
  void thoseThatAreKeptAreNotDroppedForOthers() {
    fails("a", 1);
    fails("b", 1);
    fails("c", 1);
    fails("a", 2);
    assertTrue(late.has(CacheKey.of("a")) && late.has(CacheKey.of("b")));
    assertFalse(late.has(CacheKey.of("c")));
  }
}
