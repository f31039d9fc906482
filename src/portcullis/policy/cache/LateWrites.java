package portcullis.policy.cache;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * Times that a cache could not store, and which it gets when it can be used again. A later time replaces an earlier one
 * of the same key, here and in the cache, never the other way round. At most so many are kept, and those beyond
 * are refused, as the first ones are promised. Thread safe.
 */
public final class LateWrites {
  private final SequencedMap<CacheKey, Entry> entries = new LinkedHashMap<>();
  private final int most;

  private record Entry(Instant time, Instant until) {}

  /** @param most how many times are kept */
  public LateWrites(int most) {
    this.most = most;
  }

  /** Returns the time that a cache has under a key; empty if it has none. */
  public static Optional<Instant> find(Cache cache, CacheKey key) throws CacheException {
    return cache.find(key).flatMap(LateWrites::read);
  }

  /** Returns the time too; empty too if the cache cannot be used now. */
  public static Optional<Instant> tryFind(Cache cache, CacheKey key) {
    return cache.tryFind(key).flatMap(LateWrites::read);
  }

  private static Optional<Instant> read(byte[] bytes) {
    return Optional.of(bytes).filter(all -> all.length == Long.BYTES)
        .map(all -> Instant.ofEpochMilli(ByteBuffer.wrap(all).getLong()));
  }

  /**
   * Stores a time in the cache, or keeps it for later unless too many are kept; {@link #has} says that.
   *
   * @param life how long the cache has it
   * @throws CacheException if the cache does not have it yet
   */
  public void store(Cache cache, CacheKey key, Instant time, Duration life, Instant now) throws CacheException {
    try {
      write(cache, key, time, life);
      remove(key, time);
    } catch (CacheException e) {
      keep(key, new Entry(time, now.plus(life)));
      throw e;
    }
  }

  /** Between the two calls another instance may write a later time, which is then replaced: within a millisecond. */
  private static void write(Cache cache, CacheKey key, Instant time, Duration life) throws CacheException {
    if (find(cache, key).filter(known -> !known.isBefore(time)).isEmpty()) {
      cache.store(key, ByteBuffer.allocate(Long.BYTES).putLong(time.toEpochMilli()).array(), life);
    }
  }

  private synchronized void keep(CacheKey key, Entry entry) {
    Entry known = entries.get(key);
    boolean isNews = known == null ? entries.size() < most : known.time.isBefore(entry.time);
    if (isNews) {
      entries.remove(key);
      entries.putLast(key, entry);
    }
  }

  /** Returns whether a time is kept for later. */
  public synchronized boolean has(CacheKey key) {
    return entries.containsKey(key);
  }

  /** Stores what was kept until now, if the cache can be used again. */
  public void share(Cache cache, Instant now) {
    for (Optional<Map.Entry<CacheKey, Entry>> next = first(now); next.isPresent(); next = first(now)) {
      Entry entry = next.get().getValue();
      try {
        write(cache, next.get().getKey(), entry.time, Duration.between(now, entry.until));
        remove(next.get().getKey(), entry.time);
      } catch (CacheException _) {
        return;
      }
    }
  }

  private synchronized Optional<Map.Entry<CacheKey, Entry>> first(Instant now) {
    entries.values().removeIf(entry -> !now.isBefore(entry.until));
    return Optional.ofNullable(entries.firstEntry());
  }

  /** Removes what the cache has; not a later time, which came meanwhile. */
  private synchronized void remove(CacheKey key, Instant stored) {
    Entry known = entries.get(key);
    if (known != null && !known.time.isAfter(stored)) {
      entries.remove(key);
    }
  }
}
