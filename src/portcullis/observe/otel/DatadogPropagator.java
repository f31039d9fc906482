package portcullis.observe.otel;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.context.propagation.TextMapSetter;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import portcullis.lang.value.Digits;

/** Propagates the ids of Datadog's tracers, unsigned decimal numbers of 64 bits. Malformed ones are ignored. */
final class DatadogPropagator implements TextMapPropagator {
  private static final String TRACE = "x-datadog-trace-id";
  private static final String PARENT = "x-datadog-parent-id";
  private static final String PRIORITY = "x-datadog-sampling-priority";
  private static final int MAX_DIGITS = 20;

  @Override
  public Collection<String> fields() {
    return List.of(TRACE, PARENT, PRIORITY);
  }

  @Override
  public <C> void inject(Context context, C carrier, TextMapSetter<C> setter) {
    SpanContext span = Span.fromContext(context).getSpanContext();
    if (span.isValid()) {
      setter.set(carrier, TRACE, decimal(span.getTraceId().substring(16)));
      setter.set(carrier, PARENT, decimal(span.getSpanId()));
      setter.set(carrier, PRIORITY, span.isSampled() ? "1" : "0");
    }
  }

  @Override
  public <C> Context extract(Context context, C carrier, TextMapGetter<C> getter) {
    Optional<Long> trace = number(getter.get(carrier, TRACE));
    Optional<Long> parent = number(getter.get(carrier, PARENT));
    if (trace.isEmpty() || parent.isEmpty()) {
      return context;
    }
    TraceFlags flags = isSampled(getter.get(carrier, PRIORITY)) ? TraceFlags.getSampled() : TraceFlags.getDefault();
    SpanContext caller = SpanContext.createFromRemoteParent(TraceId.fromLongs(0, trace.get()),
        HexFormat.of().toHexDigits(parent.get()), flags, TraceState.getDefault());
    return context.with(Span.wrap(caller));
  }

  /** Returns whether the caller samples the trace; without a priority it is sampled. */
  private static boolean isSampled(String priority) {
    return priority == null || Digits.are(priority, 3) && Integer.parseInt(priority) >= 1;
  }

  private static String decimal(String hex) {
    return Long.toUnsignedString(HexFormat.fromHexDigitsToLong(hex));
  }

  private static Optional<Long> number(String text) {
    try {
      long number = text == null || !Digits.are(text, MAX_DIGITS) ? 0 : Long.parseUnsignedLong(text);
      return number == 0 ? Optional.empty() : Optional.of(number);
    } catch (NumberFormatException _) {
      return Optional.empty(); // more than 64 bits
    }
  }
}
