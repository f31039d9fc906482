package portcullis.observe.otel;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.SequencedMap;
import java.util.Set;
import portcullis.lang.address.ListenHost;
import portcullis.lang.source.Nearest;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.observe.metrics.Metric;

/**
 * The environment variables of OpenTelemetry that are evaluated before the SDK is loaded; this class does not use the
 * SDK. An empty variable counts as unset (OpenTelemetry specification, configuration/sdk-environment-variables).
 *
 * @param disabled whether traces and metrics are disabled
 * @param traces the exporters of spans; empty for none
 * @param push whether metrics are pushed
 * @param pull the address for pulling metrics; empty for none
 * @param described the resource attributes
 */
public record Variables(boolean disabled, Set<String> traces, boolean push, Optional<Pull> pull,
    SequencedMap<String, String> described) {
  private static final String NONE = "none";
  private static final List<String> PROPAGATORS = List.of("tracecontext", "baggage", "b3", "b3multi", "jaeger", "xray",
      "ottrace", "datadog", NONE);
  private static final List<String> PROTOCOLS = List.of("http/protobuf", "grpc");
  private static final List<String> SAMPLERS = List.of("always_on", "always_off", "traceidratio",
      "parentbased_always_on",
      "parentbased_always_off", "parentbased_traceidratio");

  /** An address to listen on. */
  public record Pull(String host, int port) {}

  public static Variables of(Map<String, String> environment, Problems problems) {
    Reader reader = new Reader(environment, problems);
    Set<String> traces = reader.list("OTEL_TRACES_EXPORTER", "otlp", List.of("otlp", "zipkin", "instana", NONE));
    Set<String> metrics = reader.list("OTEL_METRICS_EXPORTER", "otlp", List.of("otlp", "prometheus", NONE));
    reader.list("OTEL_PROPAGATORS", "tracecontext,baggage", PROPAGATORS);
    for (String signal : List.of("", "TRACES_", "METRICS_")) {
      reader.one("OTEL_EXPORTER_OTLP_" + signal + "PROTOCOL", PROTOCOLS);
    }
    reader.one("OTEL_TRACES_SAMPLER", SAMPLERS);
    if (traces.contains("instana")) {
      reader.need("INSTANA_ENDPOINT_URL");
      reader.need("INSTANA_AGENT_KEY");
    }
    boolean disabled = reader.value("OTEL_SDK_DISABLED").filter("true"::equalsIgnoreCase).isPresent();
    Optional<Pull> pull = metrics.contains("prometheus") ? Optional.of(reader.pull()) : Optional.empty();
    return new Variables(disabled, traces, metrics.contains("otlp"), pull, reader.described());
  }

  /** Returns the resource for Prometheus (OpenTelemetry specification, compatibility/prometheus_and_openmetrics). */
  public Metric resource(String version) {
    SequencedMap<String, Object> all = new LinkedHashMap<>(Map.of("service.name", "portcullis"));
    all.put("service.version", version);
    all.put("telemetry.sdk.name", "opentelemetry");
    all.put("telemetry.sdk.language", "java");
    all.put("telemetry.sdk.version", sdkVersion());
    all.putAll(described);
    Metric.Sample sample = new Metric.Sample(all, new Metric.Whole(1));
    return new Metric("target_info", "", "Target metadata", Metric.Kind.GAUGE, List.of(sample));
  }

  /** Returns the version of the SDK without loading a class of it. */
  private static String sdkVersion() {
    Properties properties = new Properties();
    try (InputStream in = Variables.class.getClassLoader()
        .getResourceAsStream("io/opentelemetry/sdk/common/version.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException _) {
      // the version is unknown
    }
    return properties.getProperty("sdk.version", "unknown");
  }

  /** @throws IllegalArgumentException for an invalid URL, naming the variable */
  static URI url(String text, String variable) {
    try {
      URI url = URI.create(text);
      if (url.getHost() != null && ("http".equals(url.getScheme()) || "https".equals(url.getScheme()))) {
        return url;
      }
    } catch (IllegalArgumentException _) {
      // reported below
    }
    throw new IllegalArgumentException(variable + ": `" + text + "` is not an http or https URL");
  }

  private record Reader(Map<String, String> environment, Problems problems) {
    Optional<String> value(String name) {
      return Optional.ofNullable(environment.get(name)).map(String::strip).filter(text -> !text.isEmpty());
    }

    /** {@code none} overrides all others. */
    Set<String> list(String name, String defaultValue, List<String> known) {
      Set<String> out = new LinkedHashSet<>();
      for (String part : value(name).orElse(defaultValue).split(",")) {
        String word = part.strip();
        if (known.contains(word)) {
          out.add(word);
        } else if (!word.isEmpty()) {
          unknown(name, word, known);
        }
      }
      return out.contains(NONE) ? Set.of() : out;
    }

    void one(String name, List<String> known) {
      value(name).filter(word -> !known.contains(word.toLowerCase(Locale.ROOT)))
          .ifPresent(word -> unknown(name, word, known));
    }

    private void unknown(String name, String word, List<String> known) {
      problems.error(new Origin.InEnvironment(name), "", "`" + word + "` is not supported", Nearest.hint(word, known));
    }

    /**
     * Reads {@code name=value,…} with percent-encoded values; a separate variable overrides the name of the service.
     */
    SequencedMap<String, String> described() {
      SequencedMap<String, String> out = new LinkedHashMap<>();
      for (String pair : value("OTEL_RESOURCE_ATTRIBUTES").orElse("").split(",")) {
        int equals = pair.indexOf('=');
        if (equals > 0) {
          out.put(pair.substring(0, equals).strip(), decoded(pair.substring(equals + 1).strip()));
        }
      }
      value("OTEL_SERVICE_NAME").ifPresent(name -> out.put("service.name", name));
      return out;
    }

    private static String decoded(String text) {
      try {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
      } catch (IllegalArgumentException _) {
        return text;
      }
    }

    void need(String name) {
      if (value(name).isEmpty()) {
        problems.error(new Origin.InEnvironment(name), "", "is not set", "the exporter `instana` needs it");
      }
    }

    Pull pull() {
      String place = "OTEL_EXPORTER_PROMETHEUS_HOST";
      String host = value(place).orElse("127.0.0.1");
      ListenHost.advice(host).ifPresent(right -> problems.error(new Origin.InEnvironment(place), "",
          "`" + host + "` is not a host to listen on", right.replace("`port`", "`OTEL_EXPORTER_PROMETHEUS_PORT`")));
      String name = "OTEL_EXPORTER_PROMETHEUS_PORT";
      String port = value(name).orElse("9464");
      boolean digits = port.length() <= 5 && port.chars().allMatch(c -> c >= '0' && c <= '9');
      int number = digits ? Integer.parseInt(port) : 0;
      if (number < 1 || number > 65535) {
        problems.error(new Origin.InEnvironment(name), "", "`" + port + "` is not a port", "1 to 65535");
      }
      return new Pull(host, number);
    }
  }
}
