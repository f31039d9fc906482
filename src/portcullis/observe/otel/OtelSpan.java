package portcullis.observe.otel;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.Grammar;
import portcullis.observe.tracing.Span;

/**
 * A recorded span of the SDK. It gets its attributes when it ends: as long as it lasts, which may be hours, they take
 * less memory in an array. For any threads.
 */
final class OtelSpan implements Span {
  /** By so many places the array grows, for names and values in turn. */
  private static final int PLACES = 12;

  private final io.opentelemetry.api.trace.Span span;
  /** What the context has besides this span: the spans of a request share it. */
  private final Context shared;
  private final String parentId;
  private final TextMapPropagator propagator;
  private Object[] attributes = new Object[PLACES];
  private int size;

  private OtelSpan(io.opentelemetry.api.trace.Span span, Context shared, String parentId,
      TextMapPropagator propagator) {
    this.span = span;
    this.shared = shared;
    this.parentId = parentId;
    this.propagator = propagator;
  }

  /** @param shared what the context has besides this span */
  static OtelSpan of(io.opentelemetry.api.trace.Span span, SpanContext parent, Context shared,
      TextMapPropagator propagator) {
    return new OtelSpan(span, shared, parent.getSpanId().equals(SpanId.getInvalid()) ? "" : parent.getSpanId(),
        propagator);
  }

  Context context() {
    return shared.with(span);
  }

  Context shared() {
    return shared;
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
    put(attribute, value);
  }

  @Override
  public void set(String attribute, long value) {
    put(attribute, value);
  }

  @Override
  public void set(String attribute, boolean value) {
    put(attribute, value);
  }

  private synchronized void put(String attribute, Object value) {
    if (size == attributes.length) {
      attributes = Arrays.copyOf(attributes, size + PLACES);
    }
    attributes[size] = attribute;
    attributes[size + 1] = value;
    size += 2;
  }

  @Override
  public void failed(String type) {
    span.setStatus(StatusCode.ERROR);
    put("error.type", type);
  }

  @Override
  public void end() {
    setAll();
    span.end();
  }

  private synchronized void setAll() {
    for (int i = 0; i < size; i += 2) {
      String name = (String) attributes[i];
      switch (attributes[i + 1]) {
        case Long number -> span.setAttribute(name, number);
        case Boolean flag -> span.setAttribute(name, flag);
        case Object text -> span.setAttribute(name, text.toString());
      }
    }
    size = 0;
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
  public String parentId() {
    return parentId;
  }

  @Override
  public Fields propagationFields() {
    return propagationFields(context(), propagator);
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
