package portcullis.policy.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class UsedOnceMemoryTest {
  private static final Duration LIFE = Duration.ofSeconds(10);

  private final AtomicLong now = new AtomicLong();
  /** What the wall clock is ahead of the other one. */
  private final AtomicLong ahead = new AtomicLong();
  private final UsedOnceMemory memory = memory(16);

  private UsedOnceMemory memory(int most) {
    return new UsedOnceMemory(() -> Instant.ofEpochMilli(now.get() + ahead.get()), () -> Instant.ofEpochMilli(
        now.get()), most);
  }

  private boolean first(String key, String owner) throws Exception {
    return memory.isFirst(CacheKey.of("test", key), owner, LIFE);
  }

  @Test
  void secondUseIsNotTheFirstUntilItExpires() throws Exception {
    assertTrue(first("a", "x"));
    assertTrue(first("b", "x"));
    now.set(9_999);
    assertFalse(first("a", "x"));
    assertFalse(first("a", "y"));
    now.set(10_000);
    assertTrue(first("a", "x"));
    assertEquals(1, memory.size());
  }

  @Test
  void aFullMemoryForgetsNothing() throws Exception {
    for (int owner = 0; owner < 4; owner++) {
      for (int i = 0; i < 4; i++) {
        assertTrue(first(owner + "-" + i, "x" + owner));
      }
    }
    UsedOnce.UnknownException full = assertThrows(UsedOnce.UnknownException.class, () -> first("more", "y"));
    assertTrue(full.full());
    assertEquals("the memory of used proofs is full", full.getMessage());
    assertFalse(first("0-0", "x0"));
    now.set(10_000);
    assertTrue(first("more", "y"));
  }

  @Test
  void oneOwnerCannotTakeAll() throws Exception {
    for (int i = 0; i < 4; i++) {
      assertTrue(first("a" + i, "flood"));
    }
    assertThrows(UsedOnce.UnknownException.class, () -> first("a4", "flood"));
    assertTrue(first("b", "other"));
    now.set(10_000);
    assertTrue(first("a4", "flood"));
  }

  @Test
  void aShareOfOneIsOne() throws Exception {
    UsedOnceMemory small = memory(4);
    assertTrue(small.isFirst(CacheKey.of("test", "a"), "x", LIFE));
    assertThrows(UsedOnce.UnknownException.class, () -> small.isFirst(CacheKey.of("test", "b"), "x", LIFE));
    assertTrue(small.isFirst(CacheKey.of("test", "b"), "y", LIFE));
  }

  @Test
  void expiredKeyIsFreeAgainBehindALongerOne() throws Exception {
    assertTrue(memory.isFirst(CacheKey.of("test", "long"), "x", LIFE.multipliedBy(10)));
    for (int i = 0; i < 3; i++) {
      assertTrue(first("s" + i, "x"));
    }
    now.set(10_000);
    assertTrue(first("s0", "x"));
    assertFalse(first("s0", "x"));
    assertTrue(first("s3", "x"));
    assertTrue(first("s4", "x"));
    assertThrows(UsedOnce.UnknownException.class, () -> first("s5", "x"));
  }

  @Test
  void longLivesDoNotKeepOthers() throws Exception {
    assertTrue(memory.isFirst(CacheKey.of("test", "long"), "x", Duration.ofHours(1)));
    for (int i = 0; i < 3; i++) {
      assertTrue(first("a" + i, "x"));
    }
    now.set(10_000);
    assertTrue(first("b", "x"));
    assertFalse(first("long", "x"));
    assertEquals(2, memory.size());
  }

  @Test
  void clockSetForwardForAWhileForgetsNothing() throws Exception {
    assertTrue(first("a", "x"));
    ahead.set(3_600_000);
    assertTrue(first("b", "x"));
    ahead.set(0);
    assertFalse(first("a", "x"));
    now.set(10_000);
    assertTrue(first("a", "x"));
  }

  @Test
  void clockSetBackForgetsNothingThatBecomesValidAgain() throws Exception {
    assertTrue(first("a", "x"));
    ahead.set(-60_000);
    now.set(65_000);
    assertFalse(first("a", "x"), "it is five seconds later than its use");
    now.set(70_000);
    assertTrue(first("a", "x"));
  }

  @Test
  void clockSetBackDoesNotKeepTheMemoryFull() throws Exception {
    for (int i = 0; i < 4; i++) {
      assertTrue(first("a" + i, "x"));
    }
    assertThrows(UsedOnce.UnknownException.class, () -> first("a4", "x"), "which looks for expired ones");
    ahead.set(-3_600_000);
    now.set(1_000);
    assertTrue(memory.isFirst(CacheKey.of("test", "b"), "y", Duration.ofSeconds(1)));
    for (int i = 0; i < 3; i++) {
      assertTrue(memory.isFirst(CacheKey.of("test", "b" + i), "y", Duration.ofSeconds(1)));
    }
    now.set(2_000);
    assertTrue(first("c", "y"), "those behind the ones that are kept have expired");
  }
}
