package portcullis.policy.endpoint;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Ends calls to a party before they are made, once it has failed often in short time; but one a second is let through,
 * to find out whether it is back. Thread safe.
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

  /** Whether a call may be made now. */
  boolean admits() {
    return !isOpen() || isProbeDue();
  }

  private synchronized boolean isProbeDue() {
    long now = clock.millis();
    boolean due = Math.abs(now - probedAt) >= BETWEEN;
    probedAt = due ? now : probedAt;
    return due;
  }

  /** There was an answer, whatever it said. */
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

  /** There was none. */
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

  synchronized CircuitBreakers.State state(RemoteService party) {
    return new CircuitBreakers.State(party, failuresInARow, openSince);
  }
}
