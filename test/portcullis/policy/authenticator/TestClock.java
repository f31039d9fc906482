package portcullis.policy.authenticator;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that only goes when it is told to. */
final class TestClock implements InstantSource {
  private volatile Instant now = Instant.parse("2026-03-01T12:00:00.000500Z");

  @Override
  public Instant instant() {
    return now;
  }

  /** @param time negative where the clock is set back */
  void pass(Duration time) {
    now = now.plus(time);
  }
}
