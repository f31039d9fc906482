package portcullis.policy.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.policy.cache.CacheKey;

class TokenBucketsTest {
  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-24T00:00:00Z"));
  private final TokenBuckets buckets = new TokenBuckets(now::get);

  private static CacheKey key(Object name) {
    return CacheKey.of("test", String.valueOf(name));
  }

  private static Bucket bucket(String rate, long burst) {
    return Bucket.of(Rate.parse(rate).orElseThrow(), burst);
  }

  private void pass(Duration time) {
    now.set(now.get().plus(time));
  }

  private long taken(Bucket bucket, int attempts) {
    long taken = 0;
    for (int i = 0; i < attempts; i++) {
      taken += buckets.take(key("a"), bucket).allowed() ? 1 : 0;
    }
    return taken;
  }

  @ParameterizedTest
  @CsvSource({"10/s, 10", "3/s, 3", "7/1m, 5", "1/h, 1", "1000000/s, 17", "1000/1ms, 40", "1/744h, 1"})
  void aBucketHoldsItsBurstAndIsFilledAtItsRate(String rate, int burst) {
    Bucket bucket = bucket(rate, burst);
    assertEquals(burst, taken(bucket, burst + 10));
    pass(bucket.period());
    RateStore.Result first = buckets.take(key("b"), bucket);
    assertTrue(first.allowed());
    assertEquals(burst - 1, first.remaining());
  }

  @Test
  void tokensComeBackOneByOne() {
    Bucket bucket = bucket("3/s", 3);
    assertEquals(3, taken(bucket, 9));
    RateStore.Result refused = buckets.take(key("a"), bucket);
    assertFalse(refused.allowed());
    assertEquals(0, refused.remaining());
    assertEquals(333, refused.retry().toMillis());
    pass(refused.retry().minusNanos(2));
    assertEquals(0, taken(bucket, 1));
    pass(Duration.ofNanos(3));
    assertEquals(1, taken(bucket, 3));
    pass(Duration.ofHours(1));
    assertEquals(3, taken(bucket, 9));
  }

  @Test
  void refusedRequestsTakeNothing() {
    Bucket bucket = bucket("1/s", 1);
    assertEquals(1, taken(bucket, 1000));
    pass(Duration.ofSeconds(1));
    assertEquals(1, taken(bucket, 1000));
  }

  @Test
  void keysHaveBucketsOfTheirOwn() {
    Bucket bucket = bucket("1/h", 1);
    for (int i = 0; i < 1000; i++) {
      assertTrue(buckets.take(key(i), bucket).allowed());
      assertFalse(buckets.take(key(i), bucket).allowed());
    }
    assertEquals(1000, buckets.size());
    assertEquals(0, buckets.dropped());
  }

  /** 32 MiB hold them all; a few sets of 32 places have more than that. */
  @Test
  void millionKeysAreCountedInBoundedMemory() {
    TokenBuckets many = new TokenBuckets(now::get, 1 << 21);
    Bucket bucket = bucket("1/h", 1);
    for (int i = 0; i < 1_000_000; i++) {
      assertTrue(many.take(key(i), bucket).allowed());
    }
    assertTrue(many.bytes() <= 32L << 20, () -> many.bytes() + " bytes");
    assertTrue(many.dropped() < 200, () -> many.dropped() + " dropped");
    int forgotten = 0;
    for (int i = 0; i < 1_000_000; i += 100) {
      forgotten += many.take(key(i), bucket).allowed() ? 1 : 0;
    }
    assertTrue(forgotten < 20, forgotten + " forgotten");
  }

  @Test
  void fullBucketsLeaveTheirPlace() {
    TokenBuckets small = new TokenBuckets(now::get, 2048);
    Bucket bucket = bucket("1/s", 1);
    for (int i = 0; i < 100_000; i++) {
      assertTrue(small.take(key(i), bucket).allowed());
      pass(Duration.ofMillis(1));
    }
    assertEquals(2048L * 16, small.bytes());
    assertTrue(small.dropped() < 4000, () -> small.dropped() + " dropped");
  }

  /** Who floods the memory with other keys still has an empty bucket: fuller ones are dropped before it. */
  @Test
  void anAttackerCannotFreeAnEmptyBucket() {
    TokenBuckets small = new TokenBuckets(now::get, 2048);
    Bucket bucket = bucket("10/h", 10);
    for (int i = 0; i < 10; i++) {
      assertTrue(small.take(key("attacker"), bucket).allowed());
    }
    for (int i = 0; i < 200_000; i++) {
      small.take(key(i), bucket);
    }
    assertTrue(small.dropped() > 100_000);
    assertFalse(small.take(key("attacker"), bucket).allowed());
  }

  @Test
  void smallHeapsHaveFewerPlaces() {
    assertEquals(1 << 21, TokenBuckets.places(640L << 20));
    assertEquals(1 << 19, TokenBuckets.places(77L << 20));
    assertEquals(2048, TokenBuckets.places(1 << 10));
  }

  @ParameterizedTest
  @CsvSource(nullValues = "-", value = {"100/1m, 100/PT1M", "10/s, 10/PT1S", "1/744h, 1/PT744H", "5/500ms, 5/PT0.5S",
    "0/s, -", "1/745h, -", "1/0s, -", "10, -", "/s, -", "10/, -", "10/soon, -", "1.5/s, -", "-1/s, -",
    "1000000000/s, -", "1/1us, -", "1001/1ms, -"})
  void ratesAreRequestsAndAPeriod(String text, String read) {
    assertEquals(read, Rate.parse(text).map(Rate::toString).orElse(null));
  }
}
