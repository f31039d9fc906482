package portcullis.observe.otel;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.sdk.common.Clock;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingDecision;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.NameSet;
import portcullis.observe.tracing.Span;
import portcullis.observe.tracing.Tracer;

/** Starts spans, which become ones of the SDK at their ends if they are sampled. */
final class OtelTracer implements Tracer {
  private static final FieldsGetter GETTER = new FieldsGetter();
  /** The flag of a trace whose id is random (W3C Trace Context, level 2), which all of its spans pass on. */
  private static final int RANDOM = 2;

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
    return start(around, around, name, SpanKind.SERVER, offset());
  }

  @Override
  public Span child(Span parent, String name, Span.Kind kind) {
    return switch (parent) {
      case UnsampledSpan unsampled -> unsampled.child(Ids.spanId());
      case OtelSpan own -> start(own.context(), own.shared(), name, kind(kind), own.offset());
      default -> throw new IllegalArgumentException("a span of another tracer");
    };
  }

  @Override
  public Span root(String name, Span.Kind kind) {
    return start(Context.root(), Context.root(), name, kind(kind), offset());
  }

  private static long offset() {
    return Clock.getDefault().now() - System.nanoTime();
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

  /**
   * @param shared what {@code around} has besides spans, and perhaps an older one, which the new one replaces
   * @param offset as in {@link OtelSpan}
   */
  private Span start(Context around, Context shared, String name, SpanKind kind, long offset) {
    SpanContext parent = io.opentelemetry.api.trace.Span.fromContext(around).getSpanContext();
    String trace = parent.isValid() ? parent.getTraceId() : Ids.traceId();
    SamplingResult sampling = sampler.shouldSample(around, trace, name, kind, Attributes.empty(), List.of());
    TraceState state = sampling.getUpdatedTraceState(parent.getTraceState());
    String id = Ids.spanId();
    byte random = (byte) (parent.getTraceFlags().asByte() & RANDOM);
    if (sampling.getDecision() == SamplingDecision.DROP) {
      return new UnsampledSpan(trace, id, parent.isValid() ? parent.getSpanId() : "", TraceFlags.fromByte(random),
          state,
          around, propagator);
    }
    TraceFlags flags = TraceFlags.fromByte((byte) (TraceFlags.getSampled().asByte() | random));
    return new OtelSpan(this, shared, parent, SpanContext.create(trace, id, flags, state), name, kind, offset);
  }

  /**
   * Starts a span of the SDK.
   *
   * @param around with the parent
   * @param own the ids that it gets
   * @param begin nanoseconds since 1970
   */
  io.opentelemetry.api.trace.Span startSdkSpan(Context around, SpanContext own, String name, SpanKind kind,
      long begin) {
    ids.give(own);
    try {
      return tracer.spanBuilder(name).setParent(around).setSpanKind(kind).setStartTimestamp(begin, TimeUnit.NANOSECONDS)
          .startSpan();
    } finally {
      ids.forget();
    }
  }

  TextMapPropagator propagator() {
    return propagator;
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
