package portcullis.policy.limit;

import java.time.Duration;
import portcullis.policy.cache.CacheKey;

/** Takes tokens out of buckets. Thread safe. */
public interface RateStore {
  /** Allows everything, for decisions besides those of the service. */
  RateStore UNLIMITED = (_, bucket) -> bucket.allowed(bucket.time(1));

  /** Takes a token, if there is one. @throws UnavailableException if the store does not answer */
  Result take(CacheKey key, Bucket bucket) throws UnavailableException;

  /**
   * Whether there was a token.
   *
   * @param remaining tokens
   * @param full when the bucket is full again
   * @param retry when there is a token again; zero if there was one
   */
  record Result(boolean allowed, long remaining, Duration full, Duration retry) {}

  /** Thrown if the store cannot be used. */
  final class UnavailableException extends Exception {
    private static final long serialVersionUID = 1;

    public UnavailableException(String message) {
      super(message, null, false, false);
    }
  }
}
