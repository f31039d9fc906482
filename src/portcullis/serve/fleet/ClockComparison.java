package portcullis.serve.fleet;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import portcullis.observe.telemetry.Log;
import portcullis.serve.redis.SharedRedis;

/**
 * Compares the clock of this instance with that of Redis, which is the same for all: locks end, and changes are
 * ordered, by the clocks of instances. For one thread.
 */
final class ClockComparison {
  /** The difference from which on it is reported. */
  static final Duration TOLERATED = Duration.ofSeconds(2);
  /** The difference below which it has ended, so that one near the limit is not reported again and again. */
  private static final Duration ENDED = Duration.ofMillis(1500);
  private static final String CLOCK = "fleet: clock";

  private final SharedRedis redis;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private final Log log;
  private Duration reported = Duration.ZERO;

  ClockComparison(SharedRedis redis, InstantSource clock, LongSupplier nanos, Log log) {
    this.redis = redis;
    this.clock = clock;
    this.nanos = nanos;
    this.log = log;
  }

  /** Reports a difference, or its end. */
  void compare() throws SharedRedis.UnavailableException {
    long begin = nanos.getAsLong();
    Instant there;
    try {
      there = redis.time();
    } catch (SharedRedis.UnavailableException e) {
      if (!e.isForbidden()) {
        throw e;
      }
      log.problem(CLOCK, "The clock of Redis cannot be read, so clocks that differ are not noticed", "_error",
          e.getMessage());
      return;
    }
    Duration half = Duration.ofNanos(nanos.getAsLong() - begin).dividedBy(2);
    Duration ahead = Duration.between(there, clock.instant().minus(half));
    report(ahead, ahead.abs().minus(half)); // what the difference is at least: the answer may have come late
  }

  private void report(Duration ahead, Duration least) {
    if (least.compareTo(TOLERATED) > 0) {
      if (hasChanged(ahead)) {
        reported = ahead;
      }
      log.problem(CLOCK, "The clock of this instance differs from that of Redis: it may ignore locks that still hold "
          + "elsewhere, or keep them for longer", "_ahead_seconds", reported.toSeconds());
    } else if (least.compareTo(ENDED) < 0) {
      reported = Duration.ZERO;
      log.resolved(CLOCK, "The clock of this instance agrees with that of Redis");
    }
  }

  /** Returns whether the difference is another one, not only measured again. */
  private boolean hasChanged(Duration ahead) {
    return ahead.minus(reported).abs().compareTo(TOLERATED) > 0;
  }
}
