package portcullis.serve.shadow;

/** Limits the share of the processors that a thread uses: after it has worked it pauses. For one thread. */
final class DutyCycle {
  /** The part of the processors is one of so many. */
  private static final int PART = 10;
  /** Shorter pauses are put together. */
  private static final long SHORTEST_PAUSE = 1_000_000;

  private final int processors;
  private long due;

  DutyCycle(int processors) {
    this.processors = processors;
  }

  /** Returns for how long to pause after work of so many nanoseconds; zero for not at all. */
  long pause(long worked) {
    due += worked * Math.max(0, PART - processors) / processors;
    if (due < SHORTEST_PAUSE) {
      return 0;
    }
    long pause = due;
    due = 0;
    return pause;
  }
}
