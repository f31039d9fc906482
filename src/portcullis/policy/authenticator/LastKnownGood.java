package portcullis.policy.authenticator;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import portcullis.observe.telemetry.Log;

/**
 * The last good answer of one address, which stays in use while newer ones cannot be fetched. After a failure the next
 * attempt has to wait. Thread safe.
 */
final class LastKnownGood<V> {
  /** The pause after a failure. */
  static final Duration COOL_DOWN = Duration.ofSeconds(5);

  private final String what;
  private final String address;
  private final InstantSource clock;
  private final Log log;
  private final Runnable bridged;
  private volatile Optional<V> value = Optional.empty();
  private volatile Instant pauseEnd = Instant.MIN;

  /**
   * Creates one without an answer.
   *
   * @param what the answers are, for the log
   * @param address for the log
   * @param clock one that only advances
   * @param bridged called each time the last good answer stays in use
   */
  LastKnownGood(String what, String address, InstantSource clock, Log log, Runnable bridged) {
    this.what = what;
    this.address = address;
    this.clock = clock;
    this.log = log;
    this.bridged = bridged;
  }

  Optional<V> value() {
    return value;
  }

  /** Replaces the answer, and ends the pause. */
  void set(V newer) {
    value = Optional.of(newer);
    pauseEnd = Instant.MIN;
  }

  /** Returns whether the last attempt failed so recently that no other should be made. */
  boolean isPaused(Instant now) {
    return now.isBefore(pauseEnd);
  }

  /** Begins a pause, and logs the failure where there is an answer that stays in use. */
  void failed(String why) {
    pauseEnd = clock.instant().plus(COOL_DOWN);
    if (value.isPresent()) {
      bridged.run();
      log.warn(what + " cannot be fetched, the last good ones stay in use", "_url", address, "_error", why);
    }
  }
}
