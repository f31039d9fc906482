package portcullis.policy.authenticator;

import java.time.Duration;

/**
 * How long published keys are used.
 *
 * @param life from the fetch; zero to fetch them for each request
 * @param stale how much longer the last good ones are used while fetches fail
 */
record KeyLifetimes(Duration life, Duration stale) {
  KeyLifetimes {
    stale = life.isZero() ? Duration.ZERO : stale;
  }

  boolean areOff() {
    return life.isZero();
  }

  Duration longest() {
    return life.plus(stale);
  }
}
