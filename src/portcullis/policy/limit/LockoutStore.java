package portcullis.policy.limit;

import java.time.Duration;
import portcullis.policy.cache.CacheKey;

/** Failed attempts that several instances count together, at most so many credentials for a network. Thread safe. */
public interface LockoutStore {
  /**
   * Records an attempt, unless the credential is locked out for the network: one that failed counts, one that was right
   * forgets those that failed.
   *
   * @throws RateStore.UnavailableException if the store does not answer
   */
  State record(CacheKey credential, String network, Lockout settings, boolean right)
      throws RateStore.UnavailableException;

  /**
   * Forgets all failed attempts and lockouts of a network.
   *
   * @return whether there were any
   * @throws RateStore.UnavailableException if the store does not answer
   */
  default boolean forget(String network) throws RateStore.UnavailableException {
    throw new RateStore.UnavailableException("the store forgets nothing");
  }

  /**
   * What is known of a credential and a network after an attempt.
   *
   * @param remaining for how long it is locked out; zero if it is not
   * @param failures since it was locked out last
   * @param lockouts so far
   * @param begins whether this attempt began the lockout
   */
  record State(Duration remaining, int failures, int lockouts, boolean begins) {
    /** Returns whether it was locked out before the attempt, which does not count then. */
    public boolean wasLocked() {
      return remaining.isPositive() && !begins;
    }
  }
}
