package portcullis.observe.otel;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.Data;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.GaugeData;
import io.opentelemetry.sdk.metrics.data.HistogramData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.metrics.data.SumData;
import io.opentelemetry.sdk.metrics.export.MetricProducer;
import io.opentelemetry.sdk.resources.Resource;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import portcullis.observe.metrics.Metric;
import portcullis.observe.metrics.Registry;

/** Produces the metrics of the registry for the SDK, cumulative since the start. Thread safe. */
final class RegistryProducer implements MetricProducer {
  private final Registry registry;
  private final InstrumentationScopeInfo scope;
  private final InstantSource clock;
  private final long start;

  RegistryProducer(Registry registry, InstrumentationScopeInfo scope, InstantSource clock) {
    this.registry = registry;
    this.scope = scope;
    this.clock = clock;
    this.start = nanos();
  }

  private long nanos() {
    return clock.millis() * 1_000_000;
  }

  @Override
  public Collection<MetricData> produce(Resource resource) {
    long now = nanos();
    List<MetricData> out = new ArrayList<>();
    registry.read()
        .forEach(metric -> out.add(new SdkMetric(resource, scope, metric, new Points(start, now, metric).data())));
    return out;
  }

  /** The samples of one metric at a moment. */
  private record Points(long start, long now, Metric metric) {
    Data<?> data() {
      boolean real = metric.samples().stream().anyMatch(s -> s.value() instanceof Metric.Real);
      boolean counter = metric.kind() == Metric.Kind.COUNTER;
      return switch (metric.kind()) {
        case HISTOGRAM -> HistogramData.create(AggregationTemporality.CUMULATIVE, distributions());
        case COUNTER, UP_DOWN_COUNTER ->
          real ? SumData.createDoubleSumData(counter, AggregationTemporality.CUMULATIVE, reals())
              : SumData.createLongSumData(counter, AggregationTemporality.CUMULATIVE, wholes());
        case GAUGE -> real ? GaugeData.createDoubleGaugeData(reals()) : GaugeData.createLongGaugeData(wholes());
      };
    }

    private List<LongPointData> wholes() {
      List<LongPointData> out = new ArrayList<>();
      for (Metric.Sample sample : metric.samples()) {
        if (sample.value() instanceof Metric.Whole(long value)) {
          out.add(LongPointData.create(start, now, attributes(sample), value));
        }
      }
      return out;
    }

    private List<DoublePointData> reals() {
      List<DoublePointData> out = new ArrayList<>();
      for (Metric.Sample sample : metric.samples()) {
        if (sample.value() instanceof Metric.Real(double value)) {
          out.add(DoublePointData.create(start, now, attributes(sample), value, List.of()));
        }
      }
      return out;
    }

    private List<HistogramPointData> distributions() {
      List<HistogramPointData> out = new ArrayList<>();
      for (Metric.Sample sample : metric.samples()) {
        if (sample.value() instanceof Metric.Distribution(var bounds, var counts, double sum)) {
          out.add(HistogramPointData.create(start, now, attributes(sample), sum, false, 0, false, 0, bounds, counts));
        }
      }
      return out;
    }

    private static Attributes attributes(Metric.Sample sample) {
      AttributesBuilder out = Attributes.builder();
      sample.attributes().forEach((name, value) -> {
        if (value instanceof Number number) {
          out.put(name, number.longValue());
        } else {
          out.put(name, value.toString());
        }
      });
      return out.build();
    }
  }

  private record SdkMetric(Resource getResource, InstrumentationScopeInfo getInstrumentationScopeInfo, Metric metric,
      Data<?> getData)
      implements MetricData {
    @Override
    public String getName() {
      return metric.name();
    }

    @Override
    public String getDescription() {
      return metric.help();
    }

    @Override
    public String getUnit() {
      return metric.unit();
    }

    @Override
    public MetricDataType getType() {
      boolean real = metric.samples().stream().anyMatch(s -> s.value() instanceof Metric.Real);
      return switch (metric.kind()) {
        case HISTOGRAM -> MetricDataType.HISTOGRAM;
        case COUNTER, UP_DOWN_COUNTER -> real ? MetricDataType.DOUBLE_SUM : MetricDataType.LONG_SUM;
        case GAUGE -> real ? MetricDataType.DOUBLE_GAUGE : MetricDataType.LONG_GAUGE;
      };
    }
  }
}
