package portcullis.serve.runtime;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import portcullis.policy.cache.Cache;
import portcullis.policy.cache.CacheKey;

/** A cache whose look-ups an observer sees, each with what was found. Thread safe if the observer is. */
record ObservedCache(Cache cache, BiConsumer<CacheKey, Optional<byte[]>> observer) implements Cache {
  @Override
  public Optional<byte[]> get(CacheKey key) {
    Optional<byte[]> found = cache.get(key);
    observer.accept(key, found);
    return found;
  }

  @Override
  public boolean put(CacheKey key, byte[] value, Duration time) {
    return cache.put(key, value, time);
  }

  @Override
  public Claim claim(CacheKey key, Duration time) {
    return cache.claim(key, time);
  }

  @Override
  public void release(CacheKey key) {
    cache.release(key);
  }

  @Override
  public Optional<Load> load() {
    return cache.load();
  }
}
