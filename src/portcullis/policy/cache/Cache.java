package portcullis.policy.cache;

import java.time.Duration;
import java.util.Optional;

/**
 * Stores bytes under a key for a limited time. Thread safe. Any entry may be lost at any time, which costs a call but
 * never changes a decision. Neither side changes the bytes afterwards.
 */
public interface Cache {
  Optional<byte[]> get(CacheKey key);

  /** Stores the value for this time; has no effect for a time of zero or less. */
  void put(CacheKey key, byte[] value, Duration time);

  /**
   * Returns whether no other instance with the same cache has claimed the key within that time: of several instances
   * one does the work, and the others wait for its result. Without a shared cache, or if it fails, always.
   */
  default boolean claim(CacheKey key, Duration time) {
    return true;
  }

  /** Returns the current load; empty if it is not known. */
  default Optional<Load> load() {
    return Optional.empty();
  }

  /**
   * The content of a cache.
   *
   * @param type as the configuration calls it
   */
  record Load(String type, long entries, long bytes) {}

  /** Returns a cache that stores nothing. */
  static Cache none() {
    return new Cache() {
      @Override
      public Optional<byte[]> get(CacheKey key) {
        return Optional.empty();
      }

      @Override
      public void put(CacheKey key, byte[] value, Duration time) {
        // stores nothing
      }
    };
  }
}
