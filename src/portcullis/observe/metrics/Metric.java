package portcullis.observe.metrics;

import java.util.List;
import java.util.SequencedMap;

/**
 * What is known of one thing that is measured, at one moment; immutable.
 *
 * @param name by the conventions of OpenTelemetry, as {@code http.server.request.duration}
 * @param unit in UCUM, as {@code s}
 */
public record Metric(String name, String unit, String help, Kind kind, List<Sample> samples) {
  public Metric {
    samples = List.copyOf(samples);
  }

  /** How values of it behave. */
  public enum Kind {
    /** It only grows. */
    COUNTER,
    /** It grows and shrinks, and sums make sense. */
    UP_DOWN_COUNTER,
    /** It is what it is. */
    GAUGE,
    HISTOGRAM
  }

  /** A value and what it is of; attributes are texts and whole numbers. */
  public record Sample(SequencedMap<String, Object> attributes, Value value) {}

  /** A value. */
  public sealed interface Value {}

  public record Whole(long value) implements Value {}

  public record Real(double value) implements Value {}

  /**
   * @param counts how many were up to each of the bounds but not to the one before, and last how many were beyond all
   */
  public record Distribution(List<Double> bounds, List<Long> counts, double sum) implements Value {
    public long count() {
      return counts.stream().mapToLong(Long::longValue).sum();
    }
  }
}
