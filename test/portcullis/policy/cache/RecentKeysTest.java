package portcullis.policy.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RecentKeysTest {
  private final RecentKeys keys = new RecentKeys(2, Duration.ofSeconds(10));

  private static Instant at(long second) {
    return Instant.ofEpochSecond(second);
  }

  private boolean add(String key, long second) {
    return keys.add(CacheKey.of(key), at(second));
  }

  private Optional<Instant> time(String key) {
    return keys.time(CacheKey.of(key));
  }

  @Test
  void timeOfAKeyIsThatOfItsLastAddition() {
    assertTrue(add("a", 1));
    assertFalse(add("a", 3));
    assertEquals(Optional.of(at(3)), time("a"));
    assertEquals(Optional.empty(), time("b"));
    assertEquals(1, keys.size());
  }

  @Test
  void keysExpireAfterTheirLife() {
    add("a", 0);
    add("b", 10);
    assertEquals(Optional.of(at(0)), time("a"));
    add("b", 11);
    assertEquals(Optional.empty(), time("a"));
    assertEquals(Instant.MIN, keys.evicted(), "it was not before its time");
    add("c", 100);
    assertEquals(1, keys.size());
  }

  @Test
  void theOldestIsEvictedAndItsTimeKnown() {
    add("a", 1);
    add("b", 2);
    add("a", 3);
    assertEquals(Instant.MIN, keys.evicted());
    add("c", 4);
    assertEquals(Optional.empty(), time("b"), "added before the other one");
    assertEquals(Optional.of(at(3)), time("a"));
    assertEquals(at(2), keys.evicted());
    add("d", 5);
    assertEquals(at(3), keys.evicted());
    assertEquals(2, keys.size());
  }

  @Test
  void theTimeOfTheLatestEvictedKeyIsKept() {
    add("a", 9);
    add("b", 1);
    add("c", 2);
    assertEquals(at(9), keys.evicted());
    add("d", 3);
    assertEquals(at(9), keys.evicted());
  }
}
