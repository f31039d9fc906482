package portcullis.serve.runtime;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import portcullis.policy.cache.Cache;
import portcullis.policy.cache.CacheKey;

/** A cache that counts hits and misses. Thread safe. */
record CountingCache(Cache cache, LongAdder hits, LongAdder misses) implements Cache {
  @Override
  public Optional<byte[]> get(CacheKey key) {
    Optional<byte[]> found = cache.get(key);
    (found.isPresent() ? hits : misses).increment();
    return found;
  }

  @Override
  public void put(CacheKey key, byte[] value, Duration time) {
    cache.put(key, value, time);
  }

  @Override
  public Optional<Load> load() {
    return cache.load();
  }
}
