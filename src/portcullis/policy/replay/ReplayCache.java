package portcullis.policy.replay;

import java.time.Duration;
import java.util.Optional;
import portcullis.policy.cache.Cache;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.cache.MemoryCache;
import portcullis.policy.cache.MonotonicClock;

/** The cached responses of one request or test case, or none. Thread safe. */
final class ReplayCache implements Cache {
  private static final long MOST_BYTES = 16 << 20;

  private final boolean enabled;
  private volatile Cache current;
  private volatile boolean written;

  /** @param enabled whether responses are cached at all */
  ReplayCache(boolean enabled) {
    this.current = enabled ? empty() : Cache.none();
    this.enabled = enabled;
  }

  private static Cache empty() {
    return new MemoryCache(MOST_BYTES, 0, new MonotonicClock());
  }

  /** Discards what there is; most requests have left nothing. */
  void clear() {
    if (written) {
      written = false;
      current = empty();
    }
  }

  @Override
  public Optional<byte[]> get(CacheKey key) {
    return current.get(key);
  }

  @Override
  public boolean put(CacheKey key, byte[] value, Duration time) {
    written = enabled;
    return current.put(key, value, time);
  }
}
