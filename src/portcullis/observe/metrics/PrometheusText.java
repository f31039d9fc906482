package portcullis.observe.metrics;

import java.util.List;
import java.util.Map;

/**
 * Formats metrics in Prometheus' text format 0.0.4 (OpenTelemetry specification,
 * compatibility/prometheus_and_openmetrics).
 */
public final class PrometheusText {
  public static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";
  private static final Map<String, String> UNITS = Map.of("s", "seconds", "By", "bytes", "1", "ratio");

  private final StringBuilder out = new StringBuilder(16 << 10);

  private PrometheusText() {}

  public static String of(List<Metric> metrics) {
    PrometheusText text = new PrometheusText();
    metrics.forEach(text::metric);
    return text.out.toString();
  }

  /** Returns the name in queries, without the suffixes of a histogram's series. */
  public static String name(Metric metric) {
    StringBuilder name = new StringBuilder(spelled(metric.name()));
    boolean ratio = metric.unit().equals("1");
    if (UNITS.containsKey(metric.unit()) && (!ratio || metric.kind() == Metric.Kind.GAUGE)) {
      append(name, UNITS.get(metric.unit()));
    }
    if (metric.kind() == Metric.Kind.COUNTER) {
      append(name, "total");
    }
    return name.toString();
  }

  private static void append(StringBuilder name, String suffix) {
    if (!name.toString().endsWith("_" + suffix)) {
      name.append('_').append(suffix);
    }
  }

  private static String spelled(String name) {
    return name.replace('.', '_').replace('-', '_');
  }

  private void metric(Metric metric) {
    String name = name(metric);
    out.append("# HELP ").append(name).append(' ');
    escaped(metric.help(), false);
    out.append("\n# TYPE ").append(name).append(' ').append(switch (metric.kind()) {
      case COUNTER -> "counter";
      case UP_DOWN_COUNTER, GAUGE -> "gauge";
      case HISTOGRAM -> "histogram";
    }).append('\n');
    metric.samples().forEach(sample -> sample(name, sample));
  }

  private void sample(String name, Metric.Sample sample) {
    switch (sample.value()) {
      case Metric.Whole(long value) -> line(name, sample.attributes(), "", Long.toString(value));
      case Metric.Real(double value) -> line(name, sample.attributes(), "", number(value));
      case Metric.Distribution distribution -> {
        long below = 0;
        for (int i = 0; i < distribution.counts().size(); i++) {
          below += distribution.counts().get(i);
          String bound = i < distribution.bounds().size() ? number(distribution.bounds().get(i)) : "+Inf";
          line(name + "_bucket", sample.attributes(), bound, Long.toString(below));
        }
        line(name + "_sum", sample.attributes(), "", number(distribution.sum()));
        line(name + "_count", sample.attributes(), "", Long.toString(below));
      }
    }
  }

  private void line(String name, Map<String, Object> attributes, String bound, String value) {
    out.append(name);
    char before = '{';
    for (Map.Entry<String, Object> attribute : attributes.entrySet()) {
      out.append(before).append(spelled(attribute.getKey())).append("=\"");
      escaped(attribute.getValue().toString(), true);
      out.append('"');
      before = ',';
    }
    if (!bound.isEmpty()) {
      out.append(before).append("le=\"").append(bound).append('"');
      before = ',';
    }
    out.append(before == '{' ? "" : "}").append(' ').append(value).append('\n');
  }

  private void escaped(String text, boolean quotes) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '"' -> out.append(quotes ? "\\\"" : "\"");
        default -> out.append(c);
      }
    }
  }

  private static String number(double value) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    return value == Math.rint(value) && Math.abs(value) < 1e15 ? Long.toString((long) value) : Double.toString(value);
  }
}
