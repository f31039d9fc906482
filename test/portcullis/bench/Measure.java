package portcullis.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.Callable;

/**
 * Measures work on this thread: CPU time and allocated bytes of one run, the best of some batches behind a warm-up,
 * since neighbours on the machine can only make it slower.
 */
public final class Measure {
  private static final int BATCHES = 8;
  private static final Duration WARM_UP = Duration.ofMillis(1500);
  private static final Duration BATCH = Duration.ofMillis(200);
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Measure() {}

  /** What one run costs. */
  public record Cost(double nanos, double bytes) {
    /** A line of a table; with a goal whether it is met. */
    public String line(String name, double mostNanos, double mostBytes) {
      boolean good = nanos <= mostNanos && bytes <= mostBytes;
      return String.format("%-44s %8.0f ns %8.0f B   %s", name, nanos, bytes, mostNanos == Double.MAX_VALUE ? ""
          : (good ? "within " : "OVER ") + String.format("%.0f ns", mostNanos)
              + (mostBytes == Double.MAX_VALUE ? "" : String.format(", %.0f B", mostBytes)));
    }
  }

  /** The cost of a run of {@code work}; what it answers is looked at, so that none of it can be left out. */
  public static Cost of(Callable<?> work) throws Exception {
    long runs = runsIn(WARM_UP, work) / Math.max(1, WARM_UP.dividedBy(BATCH)) + 1;
    double nanos = Double.MAX_VALUE;
    double bytes = Double.MAX_VALUE;
    for (int i = 0; i < BATCHES; i++) {
      long allocated = THREADS.getCurrentThreadAllocatedBytes();
      long start = THREADS.getCurrentThreadCpuTime();
      repeat(runs, work);
      nanos = Math.min(nanos, (double) (THREADS.getCurrentThreadCpuTime() - start) / runs);
      bytes = Math.min(bytes, (double) (THREADS.getCurrentThreadAllocatedBytes() - allocated) / runs);
    }
    return new Cost(nanos, bytes);
  }

  private static long runsIn(Duration time, Callable<?> work) throws Exception {
    long end = System.nanoTime() + time.toNanos();
    long runs = 0;
    while (System.nanoTime() < end) {
      repeat(100, work);
      runs += 100;
    }
    return runs;
  }

  private static void repeat(long runs, Callable<?> work) throws Exception {
    int seen = 0;
    for (long i = 0; i < runs; i++) {
      seen += work.call() == null ? 1 : 0;
    }
    if (seen == runs) {
      throw new IllegalStateException("the work answers nothing");
    }
  }
}
