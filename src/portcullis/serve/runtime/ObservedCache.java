package portcullis.serve.runtime;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import portcullis.policy.cache.Cache;
import portcullis.policy.cache.CacheException;
import portcullis.policy.cache.CacheKey;

/** A cache whose look-ups an observer sees, each with what was found. Thread safe if the observer is. */
record ObservedCache(Cache cache, Observer observer) implements Cache {
  /** What is done with a look-up. */
  interface Observer {
    void looked(CacheKey key, Optional<byte[]> found);

    /** After a look-up that found nothing, when another caller's fetch had the response. */
    default void joined(CacheKey key, Supplier<byte[]> value) {
      // counted as a miss
    }
  }

  @Override
  public Optional<byte[]> get(CacheKey key) {
    Optional<byte[]> found = cache.get(key);
    observer.looked(key, found);
    return found;
  }

  @Override
  public Optional<byte[]> find(CacheKey key) throws CacheException {
    Optional<byte[]> found = cache.find(key);
    observer.looked(key, found);
    return found;
  }

  @Override
  public void store(CacheKey key, byte[] value, Duration time) throws CacheException {
    cache.store(key, value, time);
  }

  @Override
  public boolean isReal() {
    return cache.isReal();
  }

  @Override
  public boolean put(CacheKey key, byte[] value, Duration time) {
    return cache.put(key, value, time);
  }

  @Override
  public void joined(CacheKey key, Supplier<byte[]> value) {
    observer.joined(key, value);
    cache.joined(key, value);
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
