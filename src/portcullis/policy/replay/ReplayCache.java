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

  /** @param enabled whether responses are cached at all */
  ReplayCache(boolean enabled) {
    this.enabled = enabled;
    clear();
  }

  void clear() {
    current = enabled ? new MemoryCache(MOST_BYTES, 0, new MonotonicClock()) : Cache.none();
  }

  @Override
  public Optional<byte[]> get(CacheKey key) {
    return current.get(key);
  }

  @Override
  public boolean put(CacheKey key, byte[] value, Duration time) {
    return current.put(key, value, time);
  }
}
