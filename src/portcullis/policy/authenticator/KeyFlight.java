package portcullis.policy.authenticator;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import portcullis.policy.mechanism.Failure;

/** A fetch of keys under way: one ends it, any number wait for it. Thread safe. */
final class KeyFlight {
  /** One that has brought keys. */
  static final KeyFlight LANDED = landed();

  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile Optional<Failure> failure = Optional.empty();

  private static KeyFlight landed() {
    KeyFlight flight = new KeyFlight();
    flight.end(Optional.empty());
    return flight;
  }

  void end(Optional<Failure> how) {
    failure = how;
    ended.countDown();
  }

  /** False where it has not ended within that time; an interrupt ends the waiting. */
  boolean await(Duration time) throws Failure {
    try {
      if (!ended.await(time.toNanos(), TimeUnit.NANOSECONDS)) {
        return false;
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new Failure.Communication("interrupted while waiting for keys", false);
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
    return true;
  }
}
