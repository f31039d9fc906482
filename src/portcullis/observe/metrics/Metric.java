package portcullis.observe.metrics;

import java.util.List;
import java.util.SequencedMap;

/**
 * The state of one metric at one moment; immutable.
 *
 * @param name by the conventions of OpenTelemetry, as {@code http.server.request.duration}
 * @param unit in UCUM, as {@code s}
 */
public record Metric(String name, String unit, String help, Kind kind, List<Sample> samples) {
  public Metric {
    samples = List.copyOf(samples);
  }

  /** The kinds of instruments. */
  public enum Kind {
    /** A sum that only increases. */
    COUNTER,
    /** A sum that can decrease. */
    UP_DOWN_COUNTER,
    /** A current value, whose sum is meaningless. */
    GAUGE,
    HISTOGRAM
  }

  /** A value with its attributes, which are strings and integers. */
  public record Sample(SequencedMap<String, Object> attributes, Value value) {}

  /** A value. */
  public sealed interface Value {}

  public record Whole(long value) implements Value {}

  public record Real(double value) implements Value {}

  /**
   * The state of a histogram.
   *
   * @param bounds upper bounds of the buckets, inclusive
   * @param counts of values per bucket, the last one for values above all bounds
   */
  public record Distribution(List<Double> bounds, List<Long> counts, double sum) implements Value {
    public long count() {
      return counts.stream().mapToLong(Long::longValue).sum();
    }
  }
}
