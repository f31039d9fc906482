package portcullis.observe.metrics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * An instrument with a cell per set of attribute values. There are at most 2,000 cells; further sets share an overflow
 * cell (OpenTelemetry specification, metrics/sdk, cardinality limits). Thread safe.
 */
public final class Instrument<C> {
  private static final int MAX_CELLS = 2_000;

  private final ConcurrentMap<Labels, C> cells = new ConcurrentHashMap<>();
  private final List<String> attributes;
  private final Supplier<C> make;
  private final C overflow;

  Instrument(List<String> attributes, Supplier<C> make) {
    this.attributes = List.copyOf(attributes);
    this.make = make;
    this.overflow = make.get();
  }

  /** Returns the cell of these values. */
  public C of(Labels values) {
    C known = cells.get(values);
    if (known != null) {
      return known;
    }
    return cells.size() < MAX_CELLS ? cells.computeIfAbsent(values, _ -> make.get()) : overflow;
  }

  /** Returns the cell of these values, in the order of the attributes. */
  public C of(Object... values) {
    return of(Labels.of(values));
  }

  List<Metric.Sample> samples(Function<C, Metric.Value> value) {
    List<Metric.Sample> out = new ArrayList<>(cells.size());
    cells.forEach((key, cell) -> out.add(new Metric.Sample(named(key), value.apply(cell))));
    if (cells.size() >= MAX_CELLS) {
      out.add(new Metric.Sample(new LinkedHashMap<>(Map.of("otel.metric.overflow", "true")), value.apply(overflow)));
    }
    return out;
  }

  private SequencedMap<String, Object> named(Labels values) {
    SequencedMap<String, Object> out = LinkedHashMap.newLinkedHashMap(values.size());
    for (int i = 0; i < values.size(); i++) {
      if (!values.value(i).equals("")) {
        out.put(attributes.get(i), values.value(i));
      }
    }
    return out;
  }
}
