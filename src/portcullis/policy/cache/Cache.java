package portcullis.policy.cache;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Stores bytes under a key for a limited time. Thread safe. Any entry may be lost at any time, which costs a call but
 * never changes a decision. Neither side changes the bytes afterwards.
 */
public interface Cache {
  Optional<byte[]> get(CacheKey key);

  /**
   * Stores the value for this time; has no effect for a time of zero or less.
   *
   * @return whether other instances with the same cache find it
   */
  boolean put(CacheKey key, byte[] value, Duration time);

  /**
   * Returns an entry that is not a copy of something else, as a session: whether it is there decides something.
   *
   * @throws CacheException if that is not known
   */
  default Optional<byte[]> find(CacheKey key) throws CacheException {
    return get(key);
  }

  /**
   * Stores an entry that is not a copy of something else.
   *
   * @throws CacheException if it was not stored as the cache cannot be used now
   */
  default void store(CacheKey key, byte[] value, Duration time) throws CacheException {
    put(key, value, time);
  }

  /** Returns an entry that {@link #store} has stored; empty too if the cache cannot be used now. */
  default Optional<byte[]> tryFind(CacheKey key) {
    try {
      return find(key);
    } catch (CacheException _) {
      return Optional.empty();
    }
  }

  /** Stores an entry as {@link #store} does, if the cache can be used now. */
  default void tryStore(CacheKey key, byte[] value, Duration time) {
    try {
      store(key, value, time);
    } catch (CacheException _) {
      // what was there before stays
    }
  }

  /** Returns whether it stores anything at all. */
  default boolean isReal() {
    return true;
  }

  /** Notes a response that a caller got from the fetch of another one, without the cache. */
  default void joined(CacheKey key, Supplier<byte[]> value) {
    // only observers want to know
  }

  /** Who does the work whose result several instances with the same cache need. */
  enum Claim {
    /** This caller, until {@link #release} or its time is over. */
    OWN,
    /** Another one, for whose result to wait. */
    OTHER,
    /** Each for itself: no cache is shared, or it has failed, or the result could not be shared the last time. */
    EACH
  }

  /** Claims the work for a key for this time. */
  default Claim claim(CacheKey key, Duration time) {
    return Claim.EACH;
  }

  /** Ends an own claim whose result others will not find, so that they do not wait for it. */
  default void release(CacheKey key) {
    // has claimed nothing
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
      public boolean put(CacheKey key, byte[] value, Duration time) {
        return false;
      }

      @Override
      public boolean isReal() {
        return false;
      }
    };
  }
}
