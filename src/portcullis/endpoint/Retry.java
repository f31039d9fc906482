package portcullis.endpoint;

import java.time.Duration;
import java.util.Set;

/**
 * When a failed call is made again: at most five times, with growing waits.
 *
 * @param first how long to wait before the first repetition; each wait is twice the one before
 * @param longest the longest wait
 */
public record Retry(Duration first, Duration longest) {
  private static final int MOST = 5;
  private static final Set<Integer> PASSING = Set.of(408, 409, 423, 429, 500, 502, 503, 504, 507);

  /** Makes the call until it is answered for good, or has failed too often. */
  Reply repeated(Attempt attempt) throws CallFailure {
    Duration wait = first;
    for (int left = MOST; left > 0; left--) {
      try {
        Reply reply = attempt.make();
        if (!PASSING.contains(reply.status())) {
          return reply;
        }
      } catch (CallFailure.Unreachable | CallFailure.TimedOut _) {
        // tried again below
      }
      pause(wait.compareTo(longest) < 0 ? wait : longest);
      wait = wait.multipliedBy(2);
    }
    return attempt.make();
  }

  private static void pause(Duration time) throws CallFailure {
    try {
      Thread.sleep(time);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new CallFailure.Unreachable("interrupted");
    }
  }

  /** One call. */
  interface Attempt {
    Reply make() throws CallFailure;
  }
}
