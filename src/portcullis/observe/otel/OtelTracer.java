package portcullis.observe.otel;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingDecision;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.NameSet;
import portcullis.observe.tracing.Span;
import portcullis.observe.tracing.Tracer;

/** Starts spans of the SDK, or cheap ones of our own for those that are not sampled. */
final class OtelTracer implements Tracer {
  private static final FieldsGetter GETTER = new FieldsGetter();

  private final io.opentelemetry.api.trace.Tracer tracer;
  private final Sampler sampler;
  private final Ids ids;
  private final TextMapPropagator propagator;
  private final boolean exports;
  private final NameSet contextFields;
  private final List<String> prefixes = new ArrayList<>();

  /** @param ids the generator of the SDK */
  OtelTracer(io.opentelemetry.api.trace.Tracer tracer, Sampler sampler, Ids ids, TextMapPropagator propagator,
      boolean exports) {
    this.tracer = tracer;
    this.sampler = sampler;
    this.ids = ids;
    this.propagator = propagator;
    this.exports = exports;
    Set<String> names = new LinkedHashSet<>(propagator.fields());
    if (names.contains("X-B3-TraceId")) {
      names.add("X-B3-ParentSpanId");
      names.add("X-B3-Flags");
    }
    if (names.contains("uber-trace-id")) {
      names.add("jaeger-baggage");
      prefixes.add("uberctx-");
    }
    if (names.contains("ot-tracer-traceid")) {
      prefixes.add("ot-baggage-");
    }
    this.contextFields = NameSet.of(names);
  }

  @Override
  public Span server(String name, Fields fields) {
    Context around = hasContext(fields) ? propagator.extract(Context.root(), fields, GETTER) : Context.root();
    return start(around, around, name, SpanKind.SERVER);
  }

  @Override
  public Span child(Span parent, String name, Span.Kind kind) {
    return switch (parent) {
      case UnsampledSpan unsampled -> unsampled.child(Ids.spanId());
      case OtelSpan own -> start(own.context(), own.shared(), name, kind(kind));
      default -> throw new IllegalArgumentException("a span of another tracer");
    };
  }

  @Override
  public Span root(String name, Span.Kind kind) {
    return start(Context.root(), Context.root(), name, kind(kind));
  }

  private boolean hasContext(Fields fields) {
    List<Field> lines = fields.lines();
    for (int i = 0; i < lines.size(); i++) {
      if (propagates(lines.get(i).name())) {
        return true;
      }
    }
    return false;
  }

  /** @param shared what {@code around} has besides spans, and perhaps an older one, which the new one replaces */
  private Span start(Context around, Context shared, String name, SpanKind kind) {
    SpanContext parent = io.opentelemetry.api.trace.Span.fromContext(around).getSpanContext();
    String trace = parent.isValid() ? parent.getTraceId() : Ids.traceId();
    SamplingResult sampling = sampler.shouldSample(around, trace, name, kind, Attributes.empty(), List.of());
    if (sampling.getDecision() == SamplingDecision.DROP) {
      return new UnsampledSpan(trace, Ids.spanId(), parent.isValid() ? parent.getSpanId() : "",
          sampling.getUpdatedTraceState(parent.getTraceState()), around, propagator);
    }
    ids.give(trace);
    try {
      return OtelSpan.of(tracer.spanBuilder(name).setParent(around).setSpanKind(kind).startSpan(), parent, shared,
          propagator);
    } finally {
      ids.forget();
    }
  }

  private static SpanKind kind(Span.Kind kind) {
    return switch (kind) {
      case SERVER -> SpanKind.SERVER;
      case CLIENT -> SpanKind.CLIENT;
      case INTERNAL -> SpanKind.INTERNAL;
    };
  }

  @Override
  public boolean exports() {
    return exports;
  }

  @Override
  public boolean propagates(String name) {
    if (contextFields.has(name)) {
      return true;
    }
    for (int i = 0; i < prefixes.size(); i++) {
      if (name.regionMatches(true, 0, prefixes.get(i), 0, prefixes.get(i).length())) {
        return true;
      }
    }
    return false;
  }
}
