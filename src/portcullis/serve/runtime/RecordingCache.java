package portcullis.serve.runtime;

import java.time.Duration;
import java.util.Optional;
import portcullis.observe.decisions.RemoteAnswers;
import portcullis.policy.cache.Cache;
import portcullis.policy.cache.CacheKey;

/** A cache that records what requests find in it, for the decision log. Thread safe. */
record RecordingCache(Cache cache) implements Cache {
  @Override
  public Optional<byte[]> get(CacheKey key) {
    Optional<byte[]> found = cache.get(key);
    found.ifPresent(value -> RemoteAnswers.current().ifPresent(answers -> answers.add(key.hash(), value)));
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
