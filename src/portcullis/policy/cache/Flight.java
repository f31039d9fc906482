package portcullis.policy.cache;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A fetch in progress: one thread ends it, any number of threads wait for its result. Thread safe. */
public final class Flight<T> {
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile End<T> end = new TimedOut<>();

  /** The result of a fetch, as far as it is known. */
  public sealed interface End<T> {}

  /** The fetch succeeded. */
  public record Completed<T>(T answer) implements End<T> {}

  /** The fetch failed. */
  public record Failed<T>(Exception failure) implements End<T> {}

  /** The fetch was interrupted or ended by a bug: nothing is known of the response. */
  public record Abandoned<T>() implements End<T> {}

  /** The fetch has not ended in time. */
  public record TimedOut<T>() implements End<T> {}

  /** Returns a fetch that has succeeded already. */
  public static <T> Flight<T> landed(T answer) {
    Flight<T> flight = new Flight<>();
    flight.end(new Completed<>(answer));
    return flight;
  }

  /** Ends the fetch; only the first call has an effect. */
  public void end(End<T> how) {
    if (ended.getCount() > 0) {
      end = how;
      ended.countDown();
    }
  }

  /** Waits for the result; an interrupt ends the waiting, and the thread stays interrupted. */
  public End<T> await(Duration patience) {
    try {
      return ended.await(patience.toNanos(), TimeUnit.NANOSECONDS) ? end : new TimedOut<>();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return new TimedOut<>();
    }
  }
}
