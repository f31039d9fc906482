package portcullis.policy.cache;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers uses in the memory of this process. Nothing is forgotten before it expires: where the memory is full, or an
 * owner has used a quarter of it, more is not recorded. A use expires once its time has passed by both clocks, as what
 * is used is valid by the wall clock: set back, that makes it valid again later; set forward for a while, it makes it
 * invalid for that while only. Takes some 140 bytes for a use. Thread safe.
 */
public final class UsedOnceMemory implements UsedOnce {
  private static final int MOST = 1 << 17;
  private static final int SHARES = 4;
  private static final int DIGITS = 16;

  private final Map<Id, Use> uses = new LinkedHashMap<>();
  private final Map<String, Integer> counts = new HashMap<>();
  private final InstantSource wall;
  private final InstantSource steady;
  private final int most;
  private long swept = Long.MIN_VALUE;

  /** The first 128 bits of a key. */
  private record Id(long high, long low) {
    static Id of(CacheKey key) {
      return new Id(Long.parseUnsignedLong(key.hash(), 0, DIGITS, 16),
          Long.parseUnsignedLong(key.hash(), DIGITS, 2 * DIGITS, 16));
    }
  }

  /** The time by both clocks, in milliseconds. */
  private record Time(long wall, long steady) {}

  private record Use(String owner, Time until) {
    boolean isOver(Time now) {
      return until.wall <= now.wall && until.steady <= now.steady;
    }
  }

  /** @param steady only advances */
  public UsedOnceMemory(InstantSource wall, InstantSource steady) {
    this(wall, steady, MOST);
  }

  UsedOnceMemory(InstantSource wall, InstantSource steady, int most) {
    this.wall = wall;
    this.steady = steady;
    this.most = most;
  }

  @Override
  public synchronized boolean isFirst(CacheKey key, String owner, Duration time) throws UnknownException {
    Time now = new Time(wall.millis(), steady.millis());
    removeExpired(now);
    Id id = Id.of(key);
    Use before = uses.get(id);
    if (before != null && !before.isOver(now)) {
      return false;
    }
    if (before != null) {
      remove(before);
      uses.remove(id);
    }
    if (isFull(owner)) {
      sweep(now);
    }
    if (isFull(owner)) {
      throw new UnknownException("the memory of used proofs is full", true);
    }
    uses.put(id, new Use(owner, new Time(now.wall + time.toMillis(), now.steady + time.toMillis())));
    counts.merge(owner, 1, Integer::sum);
    return true;
  }

  private boolean isFull(String owner) {
    return uses.size() >= most || counts.getOrDefault(owner, 0) >= most / SHARES;
  }

  /** Removes the oldest ones that have expired; mostly they expire in their order. */
  private void removeExpired(Time now) {
    for (Iterator<Use> oldest = uses.values().iterator(); oldest.hasNext();) {
      Use use = oldest.next();
      if (!use.isOver(now)) {
        return;
      }
      oldest.remove();
      remove(use);
    }
  }

  /** Removes all that have expired, once a second at most. */
  private void sweep(Time now) {
    if (swept != Long.MIN_VALUE && now.steady - swept < 1000) {
      return;
    }
    swept = now.steady;
    for (Iterator<Use> all = uses.values().iterator(); all.hasNext();) {
      Use use = all.next();
      if (use.isOver(now)) {
        all.remove();
        remove(use);
      }
    }
  }

  private void remove(Use use) {
    counts.computeIfPresent(use.owner, (_, count) -> count == 1 ? null : count - 1);
  }

  /** Returns the number of uses that are remembered. */
  synchronized int size() {
    return uses.size();
  }
}
