package portcullis.policy.cache;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** The turn to fetch a response, among the instances that have the same cache. For one thread, once. */
final class Turn {
  private static final long SHORTEST_STEP_MILLIS = 10;
  private static final long LONGEST_STEP_MILLIS = 50;

  private final Cache cache;
  private final CacheKey key;
  private final Duration lease;
  private boolean isOwn;

  /** @param lease how long others wait at most */
  Turn(Cache cache, CacheKey key, Duration lease) {
    this.cache = cache;
    this.key = CacheKey.of("flight", key.hash());
    this.lease = lease;
  }

  /** Returns what is found, if need be once another instance has fetched it; nothing if this one is to fetch. */
  <T> Optional<T> await(Supplier<Optional<T>> look) {
    long begin = System.nanoTime();
    long step = SHORTEST_STEP_MILLIS;
    Optional<T> found = look.get();
    while (found.isEmpty() && isOthers() && System.nanoTime() - begin < lease.toNanos() && sleep(step)) {
      step = Math.min(2 * step, LONGEST_STEP_MILLIS);
      found = look.get();
    }
    return found;
  }

  private boolean isOthers() {
    Cache.Claim claim = cache.claim(key, lease);
    isOwn = claim == Cache.Claim.OWN;
    return claim == Cache.Claim.OTHER;
  }

  /** Returns whether the thread has not been interrupted. */
  private static boolean sleep(long millis) {
    try {
      Thread.sleep(millis);
      return true;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Stores a response; one that lives as long as the turn does not have to end it. */
  void put(CacheKey response, byte[] value, Duration time) {
    if (cache.put(response, value, time) && time.compareTo(lease) >= 0) {
      isOwn = false;
    }
  }

  /** Ends a turn after which others find nothing, also for a thread that has been interrupted. */
  void end() {
    if (isOwn) {
      boolean interrupted = Thread.interrupted();
      cache.release(key);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
