package portcullis.policy.cache;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A fetch under way: one ends it, any number wait for it. Thread safe. */
final class Flight<T> {
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile End<T> end = new Late<>();

  /** How it ended. */
  sealed interface End<T> {}

  record Landed<T>(T answer) implements End<T> {}

  record Failed<T>(Exception failure) implements End<T> {}

  /** Nothing is known of the answer. */
  record GivenUp<T>() implements End<T> {}

  /** It has not ended yet. */
  record Late<T>() implements End<T> {}

  /** Only the first end counts. */
  void end(End<T> how) {
    if (ended.getCount() > 0) {
      end = how;
      ended.countDown();
    }
  }

  /** An interrupt ends the waiting, and is still there afterwards. */
  End<T> await(Duration patience) {
    try {
      return ended.await(patience.toNanos(), TimeUnit.NANOSECONDS) ? end : new Late<>();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return new Late<>();
    }
  }
}
