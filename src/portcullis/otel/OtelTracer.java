package portcullis.otel;

import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import portcullis.message.Fields;
import portcullis.message.NameSet;
import portcullis.tracing.Span;
import portcullis.tracing.Tracer;

/** Makes spans of the SDK. */
final class OtelTracer implements Tracer {
  private static final FieldsGetter GETTER = new FieldsGetter();

  private final io.opentelemetry.api.trace.Tracer tracer;
  private final TextMapPropagator propagator;
  private final boolean exports;
  private final NameSet carriers;
  private final List<String> prefixes = new ArrayList<>();

  OtelTracer(io.opentelemetry.api.trace.Tracer tracer, TextMapPropagator propagator, boolean exports) {
    this.tracer = tracer;
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
    this.carriers = NameSet.of(names);
  }

  @Override
  public Span server(String name, Fields fields) {
    Context caller = propagator.extract(Context.root(), fields, GETTER);
    return begun(caller, name, SpanKind.SERVER);
  }

  @Override
  public Span child(Span parent, String name, Span.Kind kind) {
    return begun(((OtelSpan) parent).context(), name, kind(kind));
  }

  @Override
  public Span root(String name, Span.Kind kind) {
    return begun(Context.root(), name, kind(kind));
  }

  private Span begun(Context around, String name, SpanKind kind) {
    return OtelSpan.of(tracer.spanBuilder(name).setParent(around).setSpanKind(kind).startSpan(), around, propagator);
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
  public boolean carries(String name) {
    return carriers.has(name) || prefixes.stream().anyMatch(p -> name.regionMatches(true, 0, p, 0, p.length()));
  }
}
