package portcullis.policy.endpoint;

import java.time.Duration;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Retries failed calls: at most five times, with exponential backoff, for at most half a minute.
 *
 * @param first the pause before the first retry; each pause is twice as long as the one before
 * @param longest the longest pause
 */
public record RetryPolicy(Duration first, Duration longest) {
  private static final int MOST = 5;
  private static final Duration ENOUGH = Duration.ofSeconds(30);
  private static final Set<Integer> PASSING = Set.of(408, 409, 423, 429, 500, 502, 503, 504, 507);

  /** A call. */
  interface Attempt {
    EndpointResponse make() throws CallFailure;
  }

  /**
   * Makes the call until it succeeds or has failed too often.
   *
   * @param hopeless whether the next call would fail without being tried
   */
  EndpointResponse repeated(Attempt attempt, BooleanSupplier hopeless) throws CallFailure {
    long end = System.nanoTime() + ENOUGH.toNanos();
    Duration wait = shorter(first, longest);
    for (int left = MOST; left > 0 && System.nanoTime() + wait.toNanos() - end < 0; left--) {
      try {
        EndpointResponse reply = attempt.make();
        if (!PASSING.contains(reply.status())) {
          return reply;
        }
      } catch (CallFailure.Unreachable | CallFailure.TimedOut e) {
        if (hopeless.getAsBoolean() || Thread.currentThread().isInterrupted()) {
          throw e;
        }
      }
      pause(wait);
      wait = shorter(wait.multipliedBy(2), longest);
    }
    return attempt.make();
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static void pause(Duration time) throws CallFailure {
    try {
      Thread.sleep(time);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new CallFailure.Unreachable("interrupted");
    }
  }
}
