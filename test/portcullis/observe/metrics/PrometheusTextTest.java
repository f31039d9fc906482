package portcullis.observe.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.Needs;

class PrometheusTextTest {
  @ParameterizedTest
  @CsvSource({
    "http.server.request.duration, s, HISTOGRAM, http_server_request_duration_seconds",
    "http.server.active_requests, {request}, UP_DOWN_COUNTER, http_server_active_requests",
    "process.cpu.time, s, COUNTER, process_cpu_time_seconds_total",
    "system.memory.usage, By, UP_DOWN_COUNTER, system_memory_usage_bytes",
    "jvm.cpu.recent_utilization, 1, GAUGE, jvm_cpu_recent_utilization_ratio",
    "portcullis.rule.decisions, {request}, COUNTER, portcullis_rule_decisions_total",
    "promhttp_metric_handler_requests, '', COUNTER, promhttp_metric_handler_requests_total",
    "certificate.expiry, s, GAUGE, certificate_expiry_seconds",
  })
  void namesHoldUnitAndKind(String name, String unit, Metric.Kind kind, String expected) {
    assertEquals(expected, PrometheusText.name(new Metric(name, unit, "", kind, List.of())));
  }

  @Test
  void cumulatesBucketsAndEscapesStrings() {
    Registry registry = new Registry();
    Histogram histogram = registry
        .histogram("a.b", "s", "line\nbreak \\ \"q\"", List.of(0.00001, 0.5, 2.0), "x", "none").of("a\"b\\c\nd", "");
    List.of(0.0, 0.00001, 0.4, 1.0, 7.0).forEach(histogram::record);
    registry.counter("c", "", "counted", "n").of(200).add(3);
    registry.counter("unused", "", "has no samples", "n");
    assertEquals("""
        # HELP a_b_seconds line\\nbreak \\\\ "q"
        # TYPE a_b_seconds histogram
        a_b_seconds_bucket{x="a\\"b\\\\c\\nd",le="1.0E-5"} 2
        a_b_seconds_bucket{x="a\\"b\\\\c\\nd",le="0.5"} 3
        a_b_seconds_bucket{x="a\\"b\\\\c\\nd",le="2"} 4
        a_b_seconds_bucket{x="a\\"b\\\\c\\nd",le="+Inf"} 5
        a_b_seconds_sum{x="a\\"b\\\\c\\nd"} 8.40001
        a_b_seconds_count{x="a\\"b\\\\c\\nd"} 5
        # HELP c_total counted
        # TYPE c_total counter
        c_total{n="200"} 3
        """, PrometheusText.of(registry.read()));
  }

  @Test
  void attributeValuesAreBoundedInNumber() {
    Registry registry = new Registry();
    var counter = registry.counter("c", "", "counted", "n");
    for (int i = 0; i < 2_500; i++) {
      counter.of(i).increment();
    }
    List<Metric.Sample> samples = registry.read().getFirst().samples();
    assertEquals(2_001, samples.size());
    assertEquals(new Metric.Whole(500), samples.getLast().value());
    assertEquals("true", samples.getLast().attributes().get("otel.metric.overflow"));
  }

  @Test
  void promtoolHasNoComplaints() throws IOException, InterruptedException {
    Needs.program("promtool");
    Registry registry = new Registry();
    VirtualMachine.measure(registry);
    Machine.measure(registry);
    registry.histogram("http.server.request.duration", "s", "Durations", Registry.SHORT_TIMES, "m").of("GET")
        .record(0.1);
    registry.counter("portcullis.rule.decisions", "{request}", "Decisions", "rule.id").of("a").increment();
    CertificateExpiry.measure(registry, List::of, () -> Instant.EPOCH);
    Process promtool = new ProcessBuilder("/usr/bin/promtool", "check", "metrics").redirectErrorStream(true).start();
    try (var in = promtool.getOutputStream()) {
      in.write(PrometheusText.of(registry.read()).getBytes(StandardCharsets.UTF_8));
    }
    String reported = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    promtool.waitFor();
    // the semantic conventions call these so
    List<String> wrong = reported.lines().filter(line -> !line.contains("metrics should not have \"_count\" suffix"))
        .toList();
    assertEquals(List.of(), wrong);
  }

  @Test
  void processorTimeOfTheProcessHasItsModes() {
    Registry registry = new Registry();
    Machine.measure(registry);
    Metric time = registry.read().stream().filter(metric -> metric.name().equals("process.cpu.time")).findFirst()
        .orElseThrow();
    List<Object> modes = time.samples().stream().map(sample -> sample.attributes().get("cpu.mode")).toList();
    assertEquals(Files.exists(Path.of("/proc/self/stat")) ? List.of("user", "system") : Arrays.asList((Object) null),
        modes);
  }

  @Test
  void reportsMachineMetrics() {
    Registry registry = new Registry();
    VirtualMachine.measure(registry);
    Machine.measure(registry);
    List<String> names = registry.read().stream().map(Metric::name).toList();
    assertTrue(names.containsAll(List.of("jvm.memory.used", "jvm.thread.count", "jvm.cpu.time", "process.cpu.time",
        "process.memory.usage", "system.memory.utilization", "system.cpu.time", "system.memory.usage",
        "system.network.io")), names.toString());
    registry.read().forEach(metric -> metric.samples().forEach(sample -> {
      boolean sound = switch (sample.value()) {
        case Metric.Whole(long value) -> value >= 0;
        case Metric.Real(double value) -> value >= 0 && !Double.isNaN(value);
        case Metric.Distribution distribution -> distribution.count() >= 0;
      };
      assertTrue(sound, metric.name() + " " + sample);
    }));
  }
}
