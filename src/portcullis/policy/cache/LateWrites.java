package portcullis.policy.cache;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * Entries that a cache could not store, and which it gets when it can be used again. At most so many; the oldest are
 * dropped. Thread safe.
 */
public final class LateWrites {
  private final SequencedMap<CacheKey, Entry> entries = new LinkedHashMap<>();
  private final int most;

  private record Entry(byte[] value, Instant until) {}

  /** @param most how many entries are kept */
  public LateWrites(int most) {
    this.most = most;
  }

  /**
   * Stores an entry in the cache, or keeps it for later.
   *
   * @throws CacheException if it is kept for later
   */
  public void store(Cache cache, CacheKey key, byte[] value, Duration time, Instant now)
      throws CacheException {
    try {
      cache.store(key, value, time);
      synchronized (this) {
        entries.remove(key);
      }
    } catch (CacheException e) {
      keep(key, new Entry(value, now.plus(time)));
      throw e;
    }
  }

  private synchronized void keep(CacheKey key, Entry entry) {
    entries.remove(key);
    entries.putLast(key, entry);
    if (entries.size() > most) {
      entries.pollFirstEntry();
    }
  }

  /** Returns whether an entry is kept for later. */
  public synchronized boolean has(CacheKey key) {
    return entries.containsKey(key);
  }

  /** Stores what was kept until now, if the cache can be used again. */
  public void share(Cache cache, Instant now) {
    for (Optional<Map.Entry<CacheKey, Entry>> next = first(now); next.isPresent(); next = first(now)) {
      Entry entry = next.get().getValue();
      try {
        cache.store(next.get().getKey(), entry.value, Duration.between(now, entry.until));
        remove(next.get().getKey(), entry);
      } catch (CacheException _) {
        return;
      }
    }
  }

  private synchronized Optional<Map.Entry<CacheKey, Entry>> first(Instant now) {
    entries.values().removeIf(entry -> !now.isBefore(entry.until));
    return Optional.ofNullable(entries.firstEntry());
  }

  private synchronized void remove(CacheKey key, Entry entry) {
    entries.remove(key, entry); // not one that came meanwhile
  }
}
