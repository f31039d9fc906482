package portcullis.cache;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A fetch under way: one ends it, any number wait for it. Thread safe. */
final class Flight {
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile End end = new Late();

  /** How it ended. */
  sealed interface End {}

  record Landed(byte[] answer) implements End {}

  record Failed(Exception failure) implements End {}

  /** Nothing is known of the answer. */
  record GivenUp() implements End {}

  /** It has not ended yet. */
  record Late() implements End {}

  /** Only the first end counts. */
  void end(End how) {
    if (ended.getCount() > 0) {
      end = how;
      ended.countDown();
    }
  }

  /** An interrupt ends the waiting, and is still there afterwards. */
  End await(Duration patience) {
    try {
      return ended.await(patience.toNanos(), TimeUnit.NANOSECONDS) ? end : new Late();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return new Late();
    }
  }
}
