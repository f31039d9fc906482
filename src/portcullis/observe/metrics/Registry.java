package portcullis.observe.metrics;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** A registry of instruments, each of which is registered once. Thread safe. */
public final class Registry {
  /** Bucket boundaries for durations from 10 µs to 5 s, in seconds. */
  public static final List<Double> SHORT_TIMES = List.of(0.00001, 0.00005, 0.0001, 0.00025, 0.0005, 0.00075, 0.001,
      0.0025,
      0.005, 0.0075, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.0, 5.0);
  /** Bucket boundaries for sizes, by powers of four, in bytes. */
  public static final List<Double> SIZES = List.of(0.0, 256.0, 1024.0, 4096.0, 16384.0, 65536.0, 262144.0, 1048576.0,
      4194304.0,
      16777216.0);

  private final List<Source> sources = new CopyOnWriteArrayList<>();

  private record Source(Declaration declaration, Supplier<List<Metric.Sample>> samples) {
    Metric read() {
      return new Metric(declaration.name, declaration.unit, declaration.help, declaration.kind, samples.get());
    }
  }

  /**
   * A registered metric.
   *
   * @param attributes the names that its samples may have
   */
  public record Declaration(String name, String unit, String help, Metric.Kind kind, List<String> attributes) {}

  public Instrument<LongAdder> counter(String name, String unit, String help, String... attributes) {
    return adder(name, unit, help, Metric.Kind.COUNTER, attributes);
  }

  /** Registers a counter that can decrease, such as requests in progress. */
  public Instrument<LongAdder> upDownCounter(String name, String unit, String help, String... attributes) {
    return adder(name, unit, help, Metric.Kind.UP_DOWN_COUNTER, attributes);
  }

  private Instrument<LongAdder> adder(String name, String unit, String help, Metric.Kind kind, String... attributes) {
    Instrument<LongAdder> out = new Instrument<>(List.of(attributes), LongAdder::new);
    sources.add(new Source(new Declaration(name, unit, help, kind, List.of(attributes)),
        () -> out.samples(adder -> new Metric.Whole(adder.sum()))));
    return out;
  }

  public Instrument<Histogram> histogram(String name, String unit, String help, List<Double> bounds,
      String... attributes) {
    Instrument<Histogram> out = new Instrument<>(List.of(attributes), () -> new Histogram(bounds));
    sources.add(new Source(new Declaration(name, unit, help, Metric.Kind.HISTOGRAM, List.of(attributes)),
        () -> out.samples(Histogram::distribution)));
    return out;
  }

  /**
   * Registers an asynchronous instrument, whose samples (possibly none) are read on each export.
   *
   * @param attributes the names that samples may have
   */
  public void observe(String name, String unit, String help, Metric.Kind kind, Supplier<List<Metric.Sample>> samples,
      String... attributes) {
    sources.add(new Source(new Declaration(name, unit, help, kind, List.of(attributes)), samples));
  }

  /** Returns all registered metrics, in the order of registration. */
  public List<Declaration> declarations() {
    return sources.stream().map(Source::declaration).toList();
  }

  /** Returns the current state of all metrics with samples, in the order of registration. */
  public List<Metric> read() {
    return sources.stream().map(Source::read).filter(metric -> !metric.samples().isEmpty()).toList();
  }

  /** Returns the current samples of one metric; none if it is not registered. */
  public List<Metric.Sample> samples(String name) {
    return sources.stream().filter(source -> source.declaration.name.equals(name)).findFirst()
        .map(source -> source.samples.get()).orElse(List.of());
  }

  /** @param namesAndValues alternating names and values of attributes */
  public static Metric.Sample sample(Metric.Value value, Object... namesAndValues) {
    SequencedMap<String, Object> attributes = LinkedHashMap.newLinkedHashMap(namesAndValues.length / 2);
    for (int i = 0; i + 1 < namesAndValues.length; i += 2) {
      attributes.put(namesAndValues[i].toString(), namesAndValues[i + 1]);
    }
    return new Metric.Sample(attributes, value);
  }
}
