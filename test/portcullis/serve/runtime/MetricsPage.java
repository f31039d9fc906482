package portcullis.serve.runtime;

import java.io.OutputStream;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import portcullis.config.Enforcement;
import portcullis.config.Yaml;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.metrics.Metric;
import portcullis.observe.metrics.PrometheusText;
import portcullis.observe.metrics.Registry;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.decision.Decider;
import portcullis.policy.endpoint.CallLimits;
import portcullis.policy.endpoint.ClientPool;
import portcullis.policy.endpoint.EndpointClient;
import portcullis.policy.lock.LockTable;
import portcullis.reference.Page;
import portcullis.serve.fleet.FleetStatus;
import portcullis.serve.fleet.Member;
import portcullis.serve.fleet.Outage;
import portcullis.serve.stream.StreamRegistry;
import portcullis.serve.stream.StreamSettings;

/** The reference page of metrics, made from a registry in which a program has registered all of them. */
public final class MetricsPage {
  private static final String HEAD = """
      # Metrics

      `OTEL_METRICS_EXPORTER` selects `otlp` (default), `prometheus` or `none`; see \
      [observability.md](../observability.md). Names and units are
      those of OpenTelemetry; the second column is the name that Prometheus stores. A histogram has \
      the series `_bucket`, `_sum` and
      `_count`. An attribute without a value is left out. Scrapes by Prometheus also count themselves, as
      `promhttp_metric_handler_requests_total` and the like.

      | metric | in Prometheus | kind | unit | what it is | attributes |
      | --- | --- | --- | --- | --- | --- |
      """;

  private MetricsPage() {}

  public static Page page() {
    return new Page("metrics.md", "Metrics",
        HEAD + registry().declarations().stream().map(MetricsPage::row).collect(Collectors.joining()));
  }

  private static String row(Registry.Declaration metric) {
    String prometheus = PrometheusText
        .name(new Metric(metric.name(), metric.unit(), metric.help(), metric.kind(), List.of()));
    return "| `" + metric.name() + "` | `" + prometheus + "` | " + kind(metric.kind()) + " | `" + metric.unit() + "` | "
        + metric.help() + " | "
        + metric.attributes().stream().map(name -> "`" + name + "`").collect(Collectors.joining(", ")) + " |\n";
  }

  private static String kind(Metric.Kind kind) {
    return switch (kind) {
      case COUNTER -> "counter";
      case UP_DOWN_COUNTER -> "up-down counter";
      case GAUGE -> "gauge";
      case HISTOGRAM -> "histogram";
    };
  }

  /** Returns the registry of a program that exports metrics. */
  static Registry registry() {
    Problems problems = new Problems();
    Log silent = new Log(Level.DISABLED, LogFormat.TEXT, new LogWriter(OutputStream.nullOutputStream()),
        InstantSource.system(), "");
    Settings settings = Yaml.read(new SourceFile("portcullis.yaml", "tracing: {enabled: false}\n"), problems)
        .flatMap(root -> Settings.decoder(Enforcement.NONE).decode(root, problems)).orElseThrow();
    Program program = Program.make(settings, Enforcement.NONE, false, silent, InstantSource.system(),
        (cache, keys) -> new EndpointClient(ClientPool.of(() -> {
          throw new IllegalStateException("nothing is called");
        }), cache, keys, InstantSource.system(), CallLimits.DEFAULT), problems);
    try (Telemetry telemetry = Telemetry.start(settings, Map.of("OTEL_METRICS_EXPORTER", "prometheus"), silent,
        InstantSource.system(), problems); UncaughtErrors errors = UncaughtErrors.installed(silent)) {
      Registry registry = telemetry.registry().orElseThrow(() -> new IllegalStateException("no registry"));
      errors.measure(registry);
      new ProgramMetrics(program).measure(registry, InstantSource.system());
      LockTable locks = new LockTable(InstantSource.system());
      Decider decider = new Decider(program.reloader()::snapshot, silent, locks);
      try (StreamRegistry streams = new StreamRegistry(decider, locks, StreamSettings.DEFAULT, InstantSource.system(),
          silent)) {
        new StreamMetrics(streams, locks).measure(registry);
        Member own = new Member("gate-1", "1.0", Instant.EPOCH, new Member.Digests("", ""), Instant.EPOCH);
        new FleetMetrics(() -> new FleetStatus(true, Outage.ALLOW, 0, 0, own, List.of())).measure(registry);
      }
      return registry;
    } finally {
      program.close();
    }
  }
}
