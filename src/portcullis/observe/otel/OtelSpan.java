package portcullis.observe.otel;

import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.util.ArrayList;
import java.util.List;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.Grammar;
import portcullis.observe.tracing.Span;

/** A recorded span of the SDK. */
record OtelSpan(io.opentelemetry.api.trace.Span span, Context context, String parentId, TextMapPropagator propagator)
    implements Span {
  static OtelSpan of(io.opentelemetry.api.trace.Span span, Context around, TextMapPropagator propagator) {
    String parent = io.opentelemetry.api.trace.Span.fromContext(around).getSpanContext().getSpanId();
    return new OtelSpan(span, around.with(span), parent.equals(SpanId.getInvalid()) ? "" : parent, propagator);
  }

  @Override
  public boolean recorded() {
    return span.isRecording();
  }

  @Override
  public void name(String name) {
    span.updateName(name);
  }

  @Override
  public void set(String attribute, String value) {
    span.setAttribute(attribute, value);
  }

  @Override
  public void set(String attribute, long value) {
    span.setAttribute(attribute, value);
  }

  @Override
  public void set(String attribute, boolean value) {
    span.setAttribute(attribute, value);
  }

  @Override
  public void failed(String type) {
    span.setStatus(StatusCode.ERROR);
    span.setAttribute("error.type", type);
  }

  @Override
  public void end() {
    span.end();
  }

  @Override
  public String traceId() {
    return span.getSpanContext().getTraceId();
  }

  @Override
  public String id() {
    return span.getSpanContext().getSpanId();
  }

  @Override
  public Fields propagationFields() {
    return propagationFields(context, propagator);
  }

  /** Leaves out invalid fields, which a caller may have caused by its baggage. */
  static Fields propagationFields(Context context, TextMapPropagator propagator) {
    List<Field> out = new ArrayList<>(3);
    propagator.inject(context, out, (fields, name, value) -> {
      if (Grammar.isToken(name) && Grammar.isFieldValue(value)) {
        fields.add(new Field(name, value));
      }
    });
    if (out.stream().anyMatch(field -> field.is("X-B3-Flags"))) {
      out.removeIf(field -> field.is("X-B3-Sampled")); // debug implies sampled (B3 propagation)
    }
    return Fields.of(out);
  }
}
