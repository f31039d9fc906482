package portcullis.observe.otel;

import io.opentelemetry.common.ComponentLoader;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurablePropagatorProvider;
import io.opentelemetry.sdk.autoconfigure.spi.traces.ConfigurableSpanExporterProvider;
import io.opentelemetry.sdk.common.export.GrpcSenderProvider;
import io.opentelemetry.sdk.common.export.HttpSenderProvider;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import portcullis.http.message.Fields;
import portcullis.observe.telemetry.MachineName;

/** The components that the SDK loads by name: those of its jars and our own. Thread safe. */
final class Components implements ComponentLoader {
  private final ComponentLoader jars = ComponentLoader.forClassLoader(Components.class.getClassLoader());
  private final List<Exchange> exchanges = new CopyOnWriteArrayList<>();

  @Override
  public <T> Iterable<T> load(Class<T> type) {
    List<Object> ours = switch (type.getSimpleName()) {
      case "HttpSenderProvider" -> List.of((HttpSenderProvider) config -> new HttpPosts(config,
          opened(config.getEndpoint(), config.getTimeout(), config.getRetryPolicy(), config.getSslContext())));
      case "GrpcSenderProvider" -> List.of((GrpcSenderProvider) config -> new GrpcCalls(config,
          opened(config.getEndpoint(), config.getTimeout(), config.getRetryPolicy(), config.getSslContext())));
      case "ConfigurableSpanExporterProvider" ->
        List.of(new Exporter("zipkin", this::zipkin), new Exporter("instana", this::instana));
      case "ConfigurablePropagatorProvider" -> List.of(new Datadog());
      default -> List.of();
    };
    List<T> out = new ArrayList<>();
    ours.forEach(one -> out.add(type.cast(one)));
    if (!type.getSimpleName().endsWith("SenderProvider")) {
      jars.load(type).forEach(out::add);
    }
    return out;
  }

  private Exchange opened(URI endpoint, Duration timeout, RetryPolicy retry, SSLContext tls) {
    Exchange exchange = Exchange.to(endpoint, timeout, retry, tls);
    exchanges.add(exchange);
    return exchange;
  }

  /** Stops retries, so that closing takes no longer than necessary. */
  void closing() {
    exchanges.forEach(Exchange::close);
  }

  private SpanExporter zipkin(ConfigProperties config) {
    URI endpoint = Variables.url(
        config.getString("otel.exporter.zipkin.endpoint", "http://localhost:9411/api/v2/spans"),
        "OTEL_EXPORTER_ZIPKIN_ENDPOINT");
    Duration timeout = config.getDuration("otel.exporter.zipkin.timeout", Duration.ofSeconds(10));
    return new JsonExporter(endpoint, Fields.NONE, opened(endpoint, timeout, null, null), ZipkinForm::of);
  }

  /** Its variables are Instana's own; {@link Variables} has checked that they are set. */
  private SpanExporter instana(ConfigProperties config) {
    URI base = Variables.url(config.getString("instana.endpoint.url"), "INSTANA_ENDPOINT_URL");
    URI endpoint = URI.create((base.toString().endsWith("/") ? base.toString() : base + "/") + "bundle");
    Fields fields = Fields.of("x-instana-key", config.getString("instana.agent.key"), "x-instana-host",
        MachineName.read(),
        "x-instana-time", "0");
    return new JsonExporter(endpoint, fields, opened(endpoint, Duration.ofSeconds(10), null, null), InstanaForm::of);
  }

  private record Exporter(String name, Function<ConfigProperties, SpanExporter> make)
      implements ConfigurableSpanExporterProvider {
    @Override
    public SpanExporter createExporter(ConfigProperties config) {
      return make.apply(config);
    }

    @Override
    public String getName() {
      return name;
    }
  }

  private record Datadog() implements ConfigurablePropagatorProvider {
    @Override
    public TextMapPropagator getPropagator(ConfigProperties config) {
      return new DatadogPropagator();
    }

    @Override
    public String getName() {
      return "datadog";
    }
  }
}
