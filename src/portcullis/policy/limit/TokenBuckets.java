package portcullis.policy.limit;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.atomic.LongAdder;
import portcullis.policy.cache.CacheKey;

/**
 * Token buckets in the memory of this process. A bucket is the time at which it is full (GCRA), so one that is full is
 * the same as one that is not there, and takes no place: 16 bytes each, in sets of 32 that grow up to 2^21 places,
 * which hold a million buckets with hardly any loss. Where a set is full, the bucket that would be full first is
 * dropped: what a client has used up stays known until every place of its set has a bucket that is used up even more,
 * and which buckets share a set depends on a secret. Thread safe.
 */
public final class TokenBuckets implements RateStore {
  private static final int MOST_PLACES = 1 << 21;
  private static final int PLACE_BYTES = 2 * Long.BYTES;
  private static final int HEAP_SHARE = 8;
  private static final int SEGMENTS = 64;
  private static final int WAYS = 32;
  private static final int DIGITS = 16;

  private final InstantSource clock;
  private final String secret;
  private final Segment[] segments;
  private final LongAdder dropped = new LongAdder();

  /** @param clock that only advances */
  public TokenBuckets(InstantSource clock) {
    this(clock, places(Runtime.getRuntime().maxMemory()));
  }

  /** @param places a power of two, at least 2048 */
  TokenBuckets(InstantSource clock, int places) {
    this.clock = clock;
    byte[] random = new byte[32];
    new SecureRandom().nextBytes(random);
    this.secret = HexFormat.of().formatHex(random);
    this.segments = new Segment[SEGMENTS];
    for (int i = 0; i < SEGMENTS; i++) {
      segments[i] = new Segment(places / SEGMENTS / WAYS);
    }
  }

  /** Returns how many places an eighth of the heap has, a power of two. */
  static int places(long heap) {
    return Math.clamp(Long.highestOneBit(heap / HEAP_SHARE / PLACE_BYTES), SEGMENTS * WAYS, MOST_PLACES);
  }

  @Override
  public Result take(CacheKey key, Bucket bucket) {
    Instant instant = clock.instant();
    long now = Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano());
    long id = Long.parseUnsignedLong(CacheKey.of("bucket", secret, key.hash()).hash(), 0, DIGITS, 16);
    return segments[(int) (id >>> 58)].take(id == 0 ? 1 : id, bucket, now);
  }

  /** Returns how many buckets were dropped although they were not full. */
  public long dropped() {
    return dropped.sum();
  }

  /** Returns how many buckets have a place. */
  public long size() {
    return Arrays.stream(segments).mapToLong(Segment::size).sum();
  }

  /** Returns the bytes of all places. */
  long bytes() {
    return Arrays.stream(segments).mapToLong(Segment::bytes).sum();
  }

  /** A part of the buckets with a lock of its own. */
  private final class Segment {
    private final int mostSets;
    private long[] ids = new long[WAYS];
    /** When each bucket is full, in nanoseconds. */
    private long[] times = new long[WAYS];

    Segment(int mostSets) {
      this.mostSets = mostSets;
    }

    synchronized Result take(long id, Bucket bucket, long now) {
      int place = find(id);
      long full = place < 0 ? now : Math.max(now, times[place]);
      long next = full + bucket.time(1);
      if (next - now > bucket.time(bucket.burst())) {
        return bucket.refused(full - now);
      }
      int at = place < 0 ? free(id, now) : place;
      ids[at] = id;
      times[at] = next;
      return bucket.allowed(next - now);
    }

    private int set(long id) {
      return (int) (id & ids.length / WAYS - 1) * WAYS;
    }

    private int find(long id) {
      int from = set(id);
      for (int i = from; i < from + WAYS; i++) {
        if (ids[i] == id) {
          return i;
        }
      }
      return -1;
    }

    private int free(long id, long now) {
      while (true) {
        int first = set(id);
        for (int i = first; i < set(id) + WAYS; i++) {
          if (times[i] < times[first]) {
            first = i;
          }
        }
        if (ids[first] == 0 || times[first] <= now) {
          return first;
        }
        if (ids.length / WAYS >= mostSets) {
          dropped.increment();
          return first;
        }
        grow(now);
      }
    }

    private void grow(long now) {
      long[] oldIds = ids;
      long[] oldTimes = times;
      ids = new long[oldIds.length * 2];
      times = new long[oldIds.length * 2];
      for (int i = 0; i < oldIds.length; i++) {
        if (oldTimes[i] > now) {
          int at = set(oldIds[i]);
          while (ids[at] != 0) {
            at++;
          }
          ids[at] = oldIds[i];
          times[at] = oldTimes[i];
        }
      }
    }

    synchronized long size() {
      return Arrays.stream(ids).filter(id -> id != 0).count();
    }

    synchronized long bytes() {
      return (long) ids.length * PLACE_BYTES;
    }
  }
}
