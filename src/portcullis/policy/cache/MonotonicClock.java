package portcullis.policy.cache;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * A clock that only advances, even if the wall clock is changed: it starts with the time of the wall clock. For
 * lifetimes and pauses within this process, not for times of other systems. Thread safe.
 */
public final class MonotonicClock implements InstantSource {
  private final Instant start;
  private final LongSupplier nanos;
  private final long startNanos;

  public MonotonicClock() {
    this(InstantSource.system(), System::nanoTime);
  }

  /** @param nanos as {@link System#nanoTime} */
  public MonotonicClock(InstantSource wall, LongSupplier nanos) {
    this.start = wall.instant();
    this.nanos = nanos;
    this.startNanos = nanos.getAsLong();
  }

  @Override
  public Instant instant() {
    return start.plusNanos(nanos.getAsLong() - startNanos);
  }

  @Override
  public long millis() {
    return start.toEpochMilli() + (nanos.getAsLong() - startNanos) / 1_000_000;
  }
}
