package portcullis.observe.otel;

import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdkBuilder;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.OutputStream;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.observe.metrics.Registry;
import portcullis.observe.telemetry.Log;
import portcullis.observe.tracing.Tracer;

/** The SDK, configured by the environment. {@link #close} exports what is left, for at most five seconds. */
public final class Otel implements AutoCloseable {
  private static final String SCOPE = "portcullis";
  private static final AttributeKey<String> NAME = AttributeKey.stringKey("service.name");
  private static final int LAST_EXPORTS_SECONDS = 5;

  private final OpenTelemetrySdk sdk;
  private final Components components;
  private final SdkLogHandler logHandler;
  private final Tracer tracer;
  private final List<LogRecordExporter> logs;
  private final List<Resource> resources;
  private final InstantSource clock;

  private Otel(OpenTelemetrySdk sdk, Components components, SdkLogHandler logHandler, Tracer tracer,
      List<LogRecordExporter> logs, List<Resource> resources, InstantSource clock) {
    this.logs = logs;
    this.resources = resources;
    this.clock = clock;
    this.sdk = sdk;
    this.components = components;
    this.logHandler = logHandler;
    this.tracer = tracer;
  }

  /**
   * What to set up.
   *
   * @param exporters of spans
   * @param simple whether each span is exported immediately
   * @param pushed the metrics to push; empty for none
   * @param lines whether {@link #lines} is used
   */
  public record Options(boolean traces, List<String> exporters, boolean simple, Optional<Registry> pushed,
      boolean lines, String version) {
    /** Options of a run that exports no lines. */
    public Options(boolean traces, List<String> exporters, boolean simple, Optional<Registry> pushed, String version) {
      this(traces, exporters, simple, pushed, false, version);
    }
  }

  /** Starts it; empty exactly if a problem was added. */
  public static Optional<Otel> start(Map<String, String> environment, Options options, Log log, InstantSource clock,
      Problems problems) {
    Components components = new Components();
    Ids ids = new Ids();
    SdkLogHandler logHandler = SdkLogHandler.install(log);
    List<SpanExporter> exporters = new ArrayList<>();
    List<LogRecordExporter> logs = new ArrayList<>();
    List<Resource> resources = new ArrayList<>();
    AutoConfiguredOpenTelemetrySdkBuilder builder = AutoConfiguredOpenTelemetrySdk.builder().disableShutdownHook()
        .setComponentLoader(components)
        .addTracerProviderCustomizer((spans, config) -> spans.setIdGenerator(ids))
        .addPropertiesCustomizer(_ -> properties(environment, options))
        .addResourceCustomizer((resource, config) -> {
          resources.add(withService(resource, options.version()));
          return resources.getLast();
        })
        .addPropagatorCustomizer(
            (propagator, config) -> propagator instanceof W3CBaggagePropagator ? new BaggagePassing() : propagator);
    options.pushed()
        .ifPresent(registry -> builder.addMeterProviderCustomizer((meters, config) -> meters.registerMetricProducer(
            new RegistryProducer(registry,
                InstrumentationScopeInfo.builder(SCOPE).setVersion(options.version()).build(),
                clock))));
    if (options.simple()) {
      builder.addSpanExporterCustomizer((exporter, config) -> {
        exporters.add(exporter);
        return SpanExporter.composite();
      });
      builder.addSpanProcessorCustomizer((batch, config) -> replaced(batch, exporters));
    }
    builder.addLogRecordExporterCustomizer((exporter, config) -> {
      logs.add(exporter);
      return LogRecordExporter.composite();
    });
    try {
      OpenTelemetrySdk sdk = builder.build().getOpenTelemetrySdk();
      TextMapPropagator propagator = sdk.getPropagators().getTextMapPropagator();
      Tracer tracer = new OtelTracer(sdk.getTracer(SCOPE, options.version()), sdk.getSdkTracerProvider().getSampler(),
          ids, propagator, !options.exporters().isEmpty());
      return Optional.of(new Otel(sdk, components, logHandler, tracer, logs, resources, clock));
    } catch (ConfigurationException | IllegalArgumentException e) {
      logHandler.close();
      problems.error(Origin.BUILT_IN, "OpenTelemetry", inVariables(message(e)), "");
      return Optional.empty();
    }
  }

  private static SpanProcessor replaced(SpanProcessor batch, List<SpanExporter> exporters) {
    batch.shutdown();
    return SimpleSpanProcessor.create(SpanExporter.composite(exporters));
  }

  private static Resource withService(Resource resource, String version) {
    Resource ours = Resource.builder().put("service.name", SCOPE).put("service.version", version).build();
    boolean named = !String.valueOf(resource.getAttribute(NAME)).startsWith("unknown_service");
    return named ? ours.merge(resource) : resource.merge(ours);
  }

  /** Returns the variables of the SDK as its properties, with our defaults and decisions. */
  private static Map<String, String> properties(Map<String, String> environment, Options options) {
    Map<String, String> out = new LinkedHashMap<>();
    environment.forEach((name, value) -> {
      if (name.startsWith("OTEL_") || name.startsWith("INSTANA_")) {
        out.put(name.toLowerCase(Locale.ROOT).replace('_', '.'), value);
      }
    });
    out.putIfAbsent("otel.exporter.otlp.protocol", "http/protobuf");
    out.put("otel.traces.exporter", options.exporters().isEmpty() ? "none" : String.join(",", options.exporters()));
    out.put("otel.metrics.exporter", options.pushed().isPresent() ? "otlp" : "none");
    out.put("otel.logs.exporter", options.lines() ? "otlp" : "none");
    return out;
  }

  /** Returns the message of the cause if the SDK's own is just "Unexpected configuration error". */
  private static String message(RuntimeException error) {
    boolean unspecific = error.getCause() != null && String.valueOf(error.getMessage()).startsWith("Unexpected");
    return String.valueOf((unspecific ? error.getCause() : error).getMessage());
  }

  /** Replaces names of properties, which the SDK reports, by those of environment variables. */
  private static String inVariables(String message) {
    return Pattern.compile("otel\\.[a-z0-9._]*[a-z0-9]").matcher(message)
        .replaceAll(found -> found.group().toUpperCase(Locale.ROOT).replace('.', '_'));
  }

  /** Returns an output of lines, which sends each as a log record; closed before this. @param event their name */
  public OutputStream lines(String event) {
    return new OtlpLines(logs.getFirst(), resources.getLast(), event, clock);
  }

  public Tracer tracer() {
    return tracer;
  }

  @Override
  public void close() {
    components.closing();
    logs.forEach(LogRecordExporter::shutdown);
    CompletableResultCode.ofAll(List.of(sdk.getSdkTracerProvider().shutdown(), sdk.getSdkMeterProvider().shutdown(),
        sdk.getSdkLoggerProvider().shutdown()))
        .join(LAST_EXPORTS_SECONDS, TimeUnit.SECONDS);
    logHandler.close();
  }
}
