package portcullis.policy.cache;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** A cache that several instances share; claims have no end of their own. */
public final class SharedCache implements Cache {
  private final Cache memory;
  private final Map<CacheKey, Claim> claims = new ConcurrentHashMap<>();

  public SharedCache(Cache memory) {
    this.memory = memory;
  }

  @Override
  public Optional<byte[]> get(CacheKey key) {
    return memory.get(key);
  }

  @Override
  public boolean put(CacheKey key, byte[] value, Duration time) {
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
