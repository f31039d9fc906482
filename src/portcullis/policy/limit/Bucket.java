package portcullis.policy.limit;

import java.time.Duration;

/**
 * The size of a token bucket and the speed at which it is filled.
 *
 * @param nanos between two tokens
 * @param burst how many tokens it holds
 */
public record Bucket(double nanos, long burst) {
  public static Bucket of(Rate rate, long burst) {
    return new Bucket((double) rate.period().toNanos() / rate.count(), burst);
  }

  /** Returns how long it takes to fill it. */
  public Duration period() {
    return Duration.ofNanos(time(burst));
  }

  /** Returns how long so many tokens take, in nanoseconds. */
  long time(long tokens) {
    return Math.round(nanos * tokens);
  }

  /** Returns the result for an allowed request. @param full nanoseconds until the bucket is full, with this request */
  public RateStore.Result allowed(long full) {
    long remaining = Math.max(0, (long) ((time(burst) - full) / nanos));
    return new RateStore.Result(true, remaining, Duration.ofNanos(full), Duration.ZERO);
  }

  /** Returns the result for a request that is refused. @param full nanoseconds until the bucket is full */
  public RateStore.Result refused(long full) {
    long wait = full + time(1) - time(burst);
    return new RateStore.Result(false, 0, Duration.ofNanos(full), Duration.ofNanos(Math.max(1, wait)));
  }
}
