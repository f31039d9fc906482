package portcullis.policy.endpoint;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Fails calls to a service immediately after it has failed several times in a row; one call per second is tried, to
 * notice when it works again. Thread safe.
 */
final class CircuitBreaker {
  static final int FAILURES = 20;
  static final Duration WITHIN = Duration.ofSeconds(10);
  private static final long BETWEEN = Duration.ofSeconds(1).toMillis();

  private final InstantSource clock;
  private final Deque<Instant> lastFailures = new ArrayDeque<>(FAILURES + 1);
  private volatile long failuresInARow;
  private volatile Optional<Instant> openSince = Optional.empty();
  private long probedAt;

  CircuitBreaker(InstantSource clock) {
    this.clock = clock;
  }

  boolean isOpen() {
    return openSince.isPresent();
  }

  /** Returns whether a call may be made now. */
  boolean admits() {
    return !isOpen() || isProbeDue();
  }

  private synchronized boolean isProbeDue() {
    long now = clock.millis();
    boolean due = Math.abs(now - probedAt) >= BETWEEN;
    probedAt = due ? now : probedAt;
    return due;
  }

  /** Records a response, whatever its status. */
  void answered() {
    if (failuresInARow > 0) {
      reset();
    }
  }

  private synchronized void reset() {
    failuresInARow = 0;
    lastFailures.clear();
    openSince = Optional.empty();
  }

  /** Records a call without response. */
  synchronized void failed() {
    Instant now = clock.instant();
    failuresInARow = failuresInARow + 1;
    lastFailures.addLast(now);
    if (lastFailures.size() > FAILURES) {
      lastFailures.removeFirst();
    }
    boolean often = lastFailures.size() == FAILURES
        && Duration.between(lastFailures.getFirst(), now).compareTo(WITHIN) <= 0;
    if (often && !isOpen()) {
      openSince = Optional.of(now);
      probedAt = now.toEpochMilli();
    }
  }

  synchronized CircuitBreakers.State state(RemoteService service) {
    return new CircuitBreakers.State(service, failuresInARow, openSince);
  }
}
