package portcullis.serve.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import portcullis.config.Enforcement;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

class PortConflictsTest {
  private static final String LISTENERS = "serve: { host: 127.0.0.1 }\nmanagement: { host: 127.0.0.1 }\n";

  private static List<String> conflicts(String text, Map<String, String> environment) {
    Problems problems = new Problems();
    Settings.read(new SourceFile("f.yaml", LISTENERS + text), new EnvironmentOverrides(environment, List.of("P_")),
        Enforcement.NONE, problems);
    return problems.sorted().stream().map(Problem::text).toList();
  }

  private static Map<String, String> prometheus(String host, int port) {
    return Map.of("OTEL_METRICS_EXPORTER", "prometheus", "OTEL_EXPORTER_PROMETHEUS_HOST", host,
        "OTEL_EXPORTER_PROMETHEUS_PORT", Integer.toString(port));
  }

  @Test
  void profilesNeedAPortOfTheirOwn() {
    assertEquals(
        List.of("f.yaml:3:35: profiling.port: port 4457 is that of `management` too, give each listener a port of its "
            + "own"),
        conflicts("profiling: { enabled: true, port: 4457, host: 127.0.0.1 }", Map.of()));
    assertEquals(List.of(), conflicts("profiling: { enabled: true, host: 127.0.0.1, port: 4458 }", Map.of()));
    assertEquals(List.of(), conflicts("profiling: { enabled: false, host: 127.0.0.1, port: 4457 }", Map.of()));
    assertEquals(List.of(), conflicts("profiling: { enabled: true, host: 127.0.0.2, port: 4457 }", Map.of()));
  }

  @Test
  void metricsNeedAPortOfTheirOwn() {
    assertEquals(List.of("environment OTEL_EXPORTER_PROMETHEUS_PORT: metrics.port: port 4456 is that of `serve` too, "
        + "give each listener a port of its own"), conflicts("", prometheus("127.0.0.1", 4456)));
    assertEquals(1, conflicts("", prometheus("0.0.0.0", 4457)).size());
    assertEquals(List.of(), conflicts("", prometheus("127.0.0.1", 4458)));
    assertEquals(List.of(), conflicts("metrics: { enabled: false }", prometheus("127.0.0.1", 4456)));
    assertEquals(1, conflicts("profiling: { enabled: true, host: 127.0.0.1, port: 9999 }",
        prometheus("127.0.0.1", 9999)).size());
  }
}
