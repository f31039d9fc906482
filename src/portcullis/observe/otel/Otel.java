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
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
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

/** The SDK, set up by the environment. {@link #close} exports what is left, for some seconds at most. */
public final class Otel implements AutoCloseable {
  private static final String SCOPE = "portcullis";
  private static final AttributeKey<String> NAME = AttributeKey.stringKey("service.name");
  private static final int LAST_EXPORTS_SECONDS = 5;

  private final OpenTelemetrySdk sdk;
  private final Components components;
  private final ExportFaults faults;
  private final Tracer tracer;

  private Otel(OpenTelemetrySdk sdk, Components components, ExportFaults faults, Tracer tracer) {
    this.sdk = sdk;
    this.components = components;
    this.faults = faults;
    this.tracer = tracer;
  }

  /**
   * What is wanted of it.
   *
   * @param exporters of spans
   * @param simple whether each span is exported at once
   * @param pushed what is measured, where it is to be sent
   */
  public record Wanted(boolean traces, List<String> exporters, boolean simple, Optional<Registry> pushed,
      String version) {}

  /** Sets it up; empty exactly if a problem was added. */
  public static Optional<Otel> start(Map<String, String> environment, Wanted wanted, Log log, InstantSource clock,
      Problems problems) {
    Components components = new Components();
    Ids ids = new Ids();
    ExportFaults faults = ExportFaults.tellTo(log);
    List<SpanExporter> exporters = new ArrayList<>();
    AutoConfiguredOpenTelemetrySdkBuilder builder = AutoConfiguredOpenTelemetrySdk.builder().disableShutdownHook()
        .setComponentLoader(components)
        .addTracerProviderCustomizer((spans, config) -> spans.setIdGenerator(ids))
        .addPropertiesCustomizer(_ -> properties(environment, wanted))
        .addResourceCustomizer((resource, config) -> described(resource, wanted.version()))
        .addPropagatorCustomizer(
            (propagator, config) -> propagator instanceof W3CBaggagePropagator ? new BaggagePassing() : propagator);
    wanted.pushed()
        .ifPresent(registry -> builder.addMeterProviderCustomizer((meters, config) -> meters.registerMetricProducer(
            new Measured(registry, InstrumentationScopeInfo.builder(SCOPE).setVersion(wanted.version()).build(),
                clock))));
    if (wanted.simple()) {
      builder.addSpanExporterCustomizer((exporter, config) -> {
        exporters.add(exporter);
        return SpanExporter.composite();
      });
      builder.addSpanProcessorCustomizer((batch, config) -> replaced(batch, exporters));
    }
    try {
      OpenTelemetrySdk sdk = builder.build().getOpenTelemetrySdk();
      TextMapPropagator propagator = sdk.getPropagators().getTextMapPropagator();
      Tracer tracer = new OtelTracer(sdk.getTracer(SCOPE, wanted.version()), sdk.getSdkTracerProvider().getSampler(),
          ids, propagator, !wanted.exporters().isEmpty());
      return Optional.of(new Otel(sdk, components, faults, tracer));
    } catch (ConfigurationException | IllegalArgumentException e) {
      faults.close();
      problems.error(Origin.BUILT_IN, "OpenTelemetry", inVariables(told(e)), "");
      return Optional.empty();
    }
  }

  private static SpanProcessor replaced(SpanProcessor batch, List<SpanExporter> exporters) {
    batch.shutdown();
    return SimpleSpanProcessor.create(SpanExporter.composite(exporters));
  }

  private static Resource described(Resource resource, String version) {
    Resource ours = Resource.builder().put("service.name", SCOPE).put("service.version", version).build();
    boolean named = !String.valueOf(resource.getAttribute(NAME)).startsWith("unknown_service");
    return named ? ours.merge(resource) : resource.merge(ours);
  }

  /** The variables of the SDK as its properties, and what is decided here. */
  private static Map<String, String> properties(Map<String, String> environment, Wanted wanted) {
    Map<String, String> out = new LinkedHashMap<>();
    environment.forEach((name, value) -> {
      if (name.startsWith("OTEL_") || name.startsWith("INSTANA_")) {
        out.put(name.toLowerCase(Locale.ROOT).replace('_', '.'), value);
      }
    });
    out.putIfAbsent("otel.exporter.otlp.protocol", "http/protobuf");
    out.put("otel.traces.exporter", wanted.exporters().isEmpty() ? "none" : String.join(",", wanted.exporters()));
    out.put("otel.metrics.exporter", wanted.pushed().isPresent() ? "otlp" : "none");
    out.put("otel.logs.exporter", "none");
    return out;
  }

  /** Where the SDK did not expect the fault, its own words say nothing. */
  private static String told(RuntimeException fault) {
    boolean mute = fault.getCause() != null && String.valueOf(fault.getMessage()).startsWith("Unexpected");
    return String.valueOf((mute ? fault.getCause() : fault).getMessage());
  }

  /** The SDK speaks of properties, people set variables. */
  private static String inVariables(String message) {
    return Pattern.compile("otel\\.[a-z0-9._]*[a-z0-9]").matcher(message)
        .replaceAll(found -> found.group().toUpperCase(Locale.ROOT).replace('.', '_'));
  }

  public Tracer tracer() {
    return tracer;
  }

  @Override
  public void close() {
    components.closing();
    CompletableResultCode.ofAll(List.of(sdk.getSdkTracerProvider().shutdown(), sdk.getSdkMeterProvider().shutdown()))
        .join(LAST_EXPORTS_SECONDS, TimeUnit.SECONDS);
    faults.close();
  }
}
