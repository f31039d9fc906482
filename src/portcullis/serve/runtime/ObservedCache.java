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
  public void put(CacheKey key, byte[] value, Duration time) {
    cache.put(key, value, time);
  }

  @Override
  public boolean claim(CacheKey key, Duration time) {
    return cache.claim(key, time);
  }

  @Override
  public Optional<Load> load() {
    return cache.load();
  }
}
