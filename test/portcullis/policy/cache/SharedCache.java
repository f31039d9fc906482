package portcullis.policy.cache;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** A cache that several instances share; claims have no end of their own. */
public final class SharedCache implements Cache {
  private final Cache memory;
  private final Map<CacheKey, Claim> claims = new ConcurrentHashMap<>();

  /** Whether it is as a server that does not answer. */
  public volatile boolean away;

  public SharedCache(Cache memory) {
    this.memory = memory;
  }

  @Override
  public Optional<byte[]> get(CacheKey key) {
    return away ? Optional.empty() : memory.get(key);
  }

  @Override
  public Optional<byte[]> find(CacheKey key) throws CacheException {
    check();
    return memory.get(key);
  }

  @Override
  public void store(CacheKey key, byte[] value, Duration time) throws CacheException {
    check();
    memory.put(key, value, time);
  }

  private void check() throws CacheException {
    if (away) {
      throw new CacheException("the cache is away");
    }
  }

  @Override
  public boolean put(CacheKey key, byte[] value, Duration time) {
    if (away) {
      return false;
    }
    memory.put(key, value, time);
    return time.isPositive();
  }

  @Override
  public Claim claim(CacheKey key, Duration time) {
    Claim known = claims.putIfAbsent(key, Claim.OTHER);
    return known == null ? Claim.OWN : known;
  }

  @Override
  public void release(CacheKey key) {
    if (Thread.currentThread().isInterrupted()) {
      throw new AssertionError("no call of a server would succeed");
    }
    claims.put(key, Claim.EACH);
  }

  /** Returns the number of claims that have not been released. */
  long held() {
    return claims.values().stream().filter(Claim.OTHER::equals).count();
  }

  @Override
  public Optional<Load> load() {
    return memory.load();
  }
}
