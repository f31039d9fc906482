package portcullis.observe.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

/** Counts values in buckets. Thread safe and lock-free. */
public final class Histogram {
  private final double[] bounds;
  private final LongAdder[] counts;
  private final DoubleAdder sum = new DoubleAdder();

  /** @param bounds upper bounds of the buckets, inclusive, in ascending order */
  Histogram(List<Double> bounds) {
    this.bounds = bounds.stream().mapToDouble(Double::doubleValue).toArray();
    this.counts = new LongAdder[this.bounds.length + 1];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = new LongAdder();
    }
  }

  public void record(double value) {
    int bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]) {
      bucket++;
    }
    counts[bucket].increment();
    if (value != 0) {
      sum.add(value);
    }
  }

  /** Records a duration, in seconds. */
  public void recordNanos(long nanos) {
    record(nanos / 1e9);
  }

  Metric.Distribution distribution() {
    List<Double> all = new ArrayList<>(bounds.length);
    for (double bound : bounds) {
      all.add(bound);
    }
    List<Long> totals = new ArrayList<>(counts.length);
    for (LongAdder count : counts) {
      totals.add(count.sum());
    }
    return new Metric.Distribution(List.copyOf(all), List.copyOf(totals), sum.sum());
  }
}
