package portcullis.observe.otel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;

class VariablesTest {
  private static Map<String, String> environment(String text) {
    Map<String, String> out = new LinkedHashMap<>();
    for (String pair : text.split(" ")) {
      out.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
    }
    return out;
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "OTEL_TRACES_EXPORTER=jaeger|environment OTEL_TRACES_EXPORTER: `jaeger` is not supported, known: instana, "
        + "none, otlp, zipkin",
    "OTEL_TRACES_EXPORTER=otlp,zipkim|environment OTEL_TRACES_EXPORTER: `zipkim` is not supported, did you mean "
        + "`zipkin`?",
    "OTEL_METRICS_EXPORTER=statsd|environment OTEL_METRICS_EXPORTER: `statsd` is not supported, known: none, otlp, "
        + "prometheus",
    "OTEL_PROPAGATORS=b3,b4|environment OTEL_PROPAGATORS: `b4` is not supported, did you mean `b3`?",
    "OTEL_EXPORTER_OTLP_PROTOCOL=http/json|environment OTEL_EXPORTER_OTLP_PROTOCOL: `http/json` is not supported, "
        + "known: grpc, http/protobuf",
    "OTEL_EXPORTER_OTLP_METRICS_PROTOCOL=smoke|environment OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: `smoke` is not "
        + "supported, "
        + "known: grpc, http/protobuf",
    "OTEL_TRACES_SAMPLER=sometimes|environment OTEL_TRACES_SAMPLER: `sometimes` is not supported, known: "
        + "always_off, always_on, "
        + "parentbased_always_off, parentbased_always_on, parentbased_traceidratio, traceidratio",
    "OTEL_TRACES_EXPORTER=instana INSTANA_AGENT_KEY=k|environment INSTANA_ENDPOINT_URL: is not set, the exporter "
        + "`instana` needs it",
    "OTEL_METRICS_EXPORTER=prometheus OTEL_EXPORTER_PROMETHEUS_PORT=70000|"
        + "environment OTEL_EXPORTER_PROMETHEUS_PORT: `70000` is not a port, 1 to 65535",
    "OTEL_METRICS_EXPORTER=prometheus OTEL_EXPORTER_PROMETHEUS_PORT=a|"
        + "environment OTEL_EXPORTER_PROMETHEUS_PORT: `a` is not a port, 1 to 65535",
    "OTEL_METRICS_EXPORTER=prometheus OTEL_EXPORTER_PROMETHEUS_HOST=http://0.0.0.0:1|environment "
        + "OTEL_EXPORTER_PROMETHEUS_HOST: "
        + "`http://0.0.0.0:1` is not a host to listen on, write `0.0.0.0`, the port is set by "
        + "`OTEL_EXPORTER_PROMETHEUS_PORT`",
  })
  void unsupportedValuesAreErrorsOfTheirVariable(String variables, String reported) {
    Problems problems = new Problems();
    Variables.of(environment(variables), problems);
    assertEquals(reported, problems.sorted().stream().map(Problem::text).collect(Collectors.joining("; ")));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "X=|[otlp] true none",
    "OTEL_TRACES_EXPORTER= OTEL_METRICS_EXPORTER=|[otlp] true none",
    "OTEL_TRACES_EXPORTER=zipkin,instana INSTANA_ENDPOINT_URL=http://a INSTANA_AGENT_KEY=k|[zipkin, instana] true "
        + "none",
    "OTEL_TRACES_EXPORTER=otlp,none OTEL_METRICS_EXPORTER=none|[] false none",
    "OTEL_METRICS_EXPORTER=prometheus|[otlp] false 127.0.0.1:9464",
    "OTEL_METRICS_EXPORTER=prometheus,otlp OTEL_EXPORTER_PROMETHEUS_HOST=0.0.0.0 "
        + "OTEL_EXPORTER_PROMETHEUS_PORT=1|[otlp] true 0.0.0.0:1",
    "OTEL_METRICS_EXPORTER=prometheus,none|[otlp] false none",
  })
  void exportersAreChosen(String variables, String chosen) {
    Problems problems = new Problems();
    Variables v = Variables.of(environment(variables), problems);
    assertEquals(List.of(), problems.sorted());
    assertEquals(chosen,
        v.traces() + " " + v.push() + " " + v.pull().map(p -> p.host() + ":" + p.port()).orElse("none"));
  }

  @Test
  void theServiceIsDescribed() {
    Variables v = Variables
        .of(Map.of("OTEL_RESOURCE_ATTRIBUTES", "team=blue%20sky, service.name=a,,x", "OTEL_SERVICE_NAME", "gate",
            "OTEL_SDK_DISABLED", "TRUE"), new Problems());
    Map<String, Object> attributes = new HashMap<>(v.resource("1").samples().getFirst().attributes());
    assertTrue(attributes.remove("telemetry.sdk.version").toString().matches("[0-9]+\\.[0-9]+.*"));
    assertEquals(Map.of("service.name", "gate", "service.version", "1", "team", "blue sky", "telemetry.sdk.name",
        "opentelemetry",
        "telemetry.sdk.language", "java"), attributes);
    assertEquals(true, v.disabled());
    assertEquals(Set.of("otlp"), v.traces());
  }
}
