package portcullis.serve.shadow;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * Limits the share of the processors that a thread uses, so that it takes little from requests when all are busy: after
 * it has worked it pauses. For one thread.
 */
final class DutyCycle {
  /** The part of the processors is one of so many. */
  private static final int PART = 10;
  /** The part while the processors are busy. */
  private static final int BUSY_PART = 50;
  private static final double BUSY = 0.5;
  /** The interval between two looks at the load, for which the JDK reads about ten files. */
  private static final long LOOK = Duration.ofSeconds(1).toNanos();
  /** Shorter pauses are put together. */
  private static final long SHORTEST_PAUSE = 1_000_000;

  private final int processors;
  private final DoubleSupplier load;
  private long due;
  private long looked;
  private boolean busy;

  /** @param load the share of the processors in use, by whomever; negative if it is unknown */
  DutyCycle(int processors, DoubleSupplier load) {
    this.processors = processors;
    this.load = load;
  }

  /** Returns for how long to pause after work of so many nanoseconds; zero for not at all. @param now monotonic */
  long pause(long worked, long now) {
    if (looked == 0 || now - looked >= LOOK) {
      looked = now;
      busy = load.getAsDouble() >= BUSY;
    }
    due += worked * Math.max(0, (busy ? BUSY_PART : PART) - processors) / processors;
    if (due < SHORTEST_PAUSE) {
      return 0;
    }
    long pause = due;
    due = 0;
    return pause;
  }
}
