package portcullis.observe.otel;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapPropagator;
import portcullis.http.message.Fields;
import portcullis.observe.tracing.Span;

/** A span that nobody will see: its ids stand in the log and go on to others. */
record UnsampledSpan(String traceId, String id, String parentId, TraceState state, Context around,
    TextMapPropagator propagator)
    implements Span {
  @Override
  public boolean recorded() {
    return false;
  }

  @Override
  public void name(String name) {
    // nobody will see it
  }

  @Override
  public void set(String attribute, String value) {
    // nobody will see it
  }

  @Override
  public void set(String attribute, long value) {
    // nobody will see it
  }

  @Override
  public void set(String attribute, boolean value) {
    // nobody will see it
  }

  @Override
  public void failed(String type) {
    // nobody will see it
  }

  @Override
  public void end() {
    // nobody will see it
  }

  /** One below it. */
  UnsampledSpan child(String childId) {
    return new UnsampledSpan(traceId, childId, id, state, around, propagator);
  }

  @Override
  public Fields propagationFields() {
    SpanContext told = SpanContext.create(traceId, id, TraceFlags.getDefault(), state);
    return OtelSpan.propagationFields(around.with(io.opentelemetry.api.trace.Span.wrap(told)), propagator);
  }
}
