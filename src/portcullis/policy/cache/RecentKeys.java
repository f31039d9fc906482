package portcullis.policy.cache;

import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Keys and when they were added last: at most so many, and for so long. What is evicted before its time is remembered
 * by the time of the latest such key. Thread safe.
 */
public final class RecentKeys {
  private final Map<CacheKey, Instant> times = new LinkedHashMap<>();
  private final int most;
  private final Duration life;
  private Instant evicted = Instant.MIN;

  /** @param most how many keys are kept */
  public RecentKeys(int most, Duration life) {
    this.most = most;
    this.life = life;
  }

  /** Adds a key, or its new time. Returns whether it was not there. */
  public synchronized boolean add(CacheKey key, Instant now) {
    boolean isNew = times.remove(key) == null;
    times.put(key, now);
    Iterator<Instant> oldest = times.values().iterator();
    Instant first = oldest.next();
    while (first.plus(life).isBefore(now) || times.size() > most) {
      if (!first.plus(life).isBefore(now) && first.isAfter(evicted)) {
        evicted = first;
      }
      oldest.remove();
      first = oldest.hasNext() ? oldest.next() : now;
    }
    return isNew;
  }

  /** Returns when the key was added last; empty if it was not, or has expired or been evicted. */
  public synchronized Optional<Instant> time(CacheKey key) {
    return Optional.ofNullable(times.get(key));
  }

  /** Returns the latest time of a key that was evicted before its time; {@link Instant#MIN} if none was. */
  public synchronized Instant evicted() {
    return evicted;
  }

  public synchronized int size() {
    return times.size();
  }
}
