package portcullis.observe.otel;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapPropagator;
import portcullis.http.message.Fields;
import portcullis.observe.tracing.Span;

/** A span that is not sampled: its ids are logged and propagated. */
record UnsampledSpan(String traceId, String id, String parentId, TraceFlags flags, TraceState state, Context around,
    TextMapPropagator propagator) implements Span {
  @Override
  public boolean recorded() {
    return false;
  }

  @Override
  public void name(String name) {
    // not exported
  }

  @Override
  public void set(String attribute, String value) {
    // not exported
  }

  @Override
  public void set(String attribute, long value) {
    // not exported
  }

  @Override
  public void set(String attribute, boolean value) {
    // not exported
  }

  @Override
  public void failed(String type) {
    // not exported
  }

  @Override
  public void end() {
    // not exported
  }

  /** Returns a child span. */
  UnsampledSpan child(String childId) {
    return new UnsampledSpan(traceId, childId, id, flags, state, around, propagator);
  }

  @Override
  public Fields propagationFields() {
    SpanContext context = SpanContext.create(traceId, id, flags, state);
    return OtelSpan.propagationFields(around.with(io.opentelemetry.api.trace.Span.wrap(context)), propagator);
  }
}
