package portcullis.policy.cache;

import java.time.Duration;
import java.util.Optional;

/**
 * Keeps bytes under a key for a time. Thread safe; may lose any entry at any time, a loss costs a call, never a
 * verdict. The bytes belong to nobody: neither who puts nor who gets them changes them.
 */
public interface Cache {
  Optional<byte[]> get(CacheKey key);

  /** Keeps the value that long; without effect for a time of zero or less. */
  void put(CacheKey key, byte[] value, Duration time);

  /** What is kept now; empty where nobody here knows. */
  default Optional<Load> load() {
    return Optional.empty();
  }

  /**
   * What is kept.
   *
   * @param type as the configuration calls it
   */
  record Load(String type, long entries, long bytes) {}

  /** One that keeps nothing. */
  static Cache none() {
    return new Cache() {
      @Override
      public Optional<byte[]> get(CacheKey key) {
        return Optional.empty();
      }

      @Override
      public void put(CacheKey key, byte[] value, Duration time) {
        // nothing is kept
      }
    };
  }
}
