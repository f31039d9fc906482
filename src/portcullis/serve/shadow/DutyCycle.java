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
  private static final int BUSY_PART = 200;
  /** The load from which a request may find no idle processor, and waits where this thread is running. */
  private static final double BUSY = 0.2;
  /** The interval between two looks at the load, for which the JDK reads about ten files. */
  private static final long LOOK = Duration.ofSeconds(1).toNanos();
  /** A pause comes after so much work: less would be too little to wake for, and more would keep others waiting. */
  private static final long WORK = 100_000;
  /** What takes long, as the first decision of a process, does not keep the next ones waiting in proportion. */
  private static final long LONGEST_PAUSE = 100_000_000;

  private final int processors;
  private final DoubleSupplier load;
  private long done;
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
    done += worked;
    if (done < WORK) {
      return 0;
    }
    long pause = done * Math.max(0, (busy ? BUSY_PART : PART) - processors) / processors;
    done = 0;
    return Math.min(pause, LONGEST_PAUSE);
  }
}
