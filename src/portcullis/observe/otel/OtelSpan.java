package portcullis.observe.otel;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.Grammar;
import portcullis.observe.telemetry.ShortText;
import portcullis.observe.tracing.Span;

/**
 * A recorded span. As long as it lasts, which may be hours, it takes less memory than one of the SDK, which is made at
 * its end. For any threads.
 */
final class OtelSpan implements Span {
  /** By so many places the array grows, for names and values in turn. */
  private static final int PLACES = 8;
  private static final Object[] NO_ATTRIBUTES = {};

  private final OtelTracer tracer;
  /** What the context has besides this span: the spans of a request share it. */
  private final Context shared;
  private final SpanContext parent;
  private final SpanContext own;
  private final SpanKind kind;
  private final long begin;
  /** The difference between the time since 1970 and {@link System#nanoTime}, the same for all spans of a request. */
  private final long offset;
  private String name;
  private boolean hasFailed;
  private boolean hasEnded;
  private Object[] attributes = NO_ATTRIBUTES;
  private int size;

  /**
   * @param shared what the context has besides this span
   * @param parent invalid if there is none
   * @param offset the difference between the time since 1970 and {@link System#nanoTime} in nanoseconds
   */
  OtelSpan(OtelTracer tracer, Context shared, SpanContext parent, SpanContext own, String name, SpanKind kind,
      long offset) {
    this.tracer = tracer;
    this.shared = shared;
    this.parent = parent;
    this.own = own;
    this.name = name;
    this.kind = kind;
    this.begin = System.nanoTime();
    this.offset = offset;
  }

  /** Returns the context of its children. */
  Context context() {
    return shared.with(io.opentelemetry.api.trace.Span.wrap(own));
  }

  Context shared() {
    return shared;
  }

  long offset() {
    return offset;
  }

  @Override
  public boolean recorded() {
    return true;
  }

  @Override
  public synchronized void name(String other) {
    name = other;
  }

  @Override
  public void set(String attribute, String value) {
    put(attribute, ShortText.of(value, ShortText.LONG));
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
  public synchronized void failed(String type) {
    hasFailed = true;
    put("error.type", type);
  }

  @Override
  public synchronized void end() {
    if (hasEnded) {
      return;
    }
    hasEnded = true;
    long now = System.nanoTime();
    io.opentelemetry.api.trace.Span span = tracer.startSdkSpan(
        shared.with(io.opentelemetry.api.trace.Span.wrap(parent)), own,
        name, kind, begin + offset);
    for (int i = 0; i < size; i += 2) {
      String attribute = (String) attributes[i];
      switch (attributes[i + 1]) {
        case Long number -> span.setAttribute(attribute, number);
        case Boolean flag -> span.setAttribute(attribute, flag);
        case Object text -> span.setAttribute(attribute, text.toString());
      }
    }
    if (hasFailed) {
      span.setStatus(StatusCode.ERROR);
    }
    span.end(now + offset, TimeUnit.NANOSECONDS);
  }

  @Override
  public String traceId() {
    return own.getTraceId();
  }

  @Override
  public String id() {
    return own.getSpanId();
  }

  @Override
  public String parentId() {
    return parent.isValid() ? parent.getSpanId() : "";
  }

  @Override
  public Fields propagationFields() {
    return propagationFields(context(), tracer.propagator());
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
