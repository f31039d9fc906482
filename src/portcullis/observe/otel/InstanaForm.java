package portcullis.observe.otel;

import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import portcullis.lang.value.Value;

/** Formats spans for Instana's serverless acceptor. */
final class InstanaForm {
  private static final int LOW = 16;

  private InstanaForm() {}

  static Value of(Collection<SpanData> spans) {
    return Value.dict("spans", new Value.Array(spans.stream().map(InstanaForm::of).toList()));
  }

  private static Value of(SpanData span) {
    Map<String, Value> out = new TreeMap<>();
    out.put("t", Value.of(span.getTraceId().substring(LOW)));
    out.put("lt", Value.of(span.getTraceId()));
    out.put("s", Value.of(span.getSpanId()));
    if (SpanParts.hasParent(span)) {
      out.put("p", Value.of(span.getParentSpanId()));
    }
    out.put("ts", Value.of(span.getStartEpochNanos() / 1_000_000));
    out.put("d", Value.of((span.getEndEpochNanos() - span.getStartEpochNanos()) / 1_000_000));
    out.put("n", Value.of("otel"));
    out.put("f", Value.dict("e", Value.of(Long.toString(ProcessHandle.current().pid()))));
    boolean failed = span.getStatus().getStatusCode() == StatusCode.ERROR;
    if (failed) {
      out.put("ec", Value.of(1));
    }
    out.put("data", data(span, failed));
    return new Value.Dict(out);
  }

  private static Value data(SpanData span, boolean failed) {
    Map<String, Value> out = new TreeMap<>();
    out.put("kind", Value.of(span.getKind().name().toLowerCase(Locale.ROOT)));
    if (span.getKind() == SpanKind.SERVER && SpanParts.hasParent(span)) {
      out.put("tp", Value.of(true));
    }
    out.put("service", Value.of(SpanParts.service(span)));
    out.put("operation", Value.of(span.getName()));
    out.put("trace_state", Value.of(span.getSpanContext().getTraceState().asMap().entrySet().stream()
        .map(e -> e.getKey() + "=" + e.getValue()).collect(Collectors.joining(","))));
    Map<String, Value> tags = SpanParts.strings(span.getAttributes());
    if (failed) {
      tags.put("error", Value.of("true"));
      tags.put("error_detail", Value.of(span.getStatus().getDescription()));
    }
    out.put("tags", new Value.Dict(tags));
    return new Value.Dict(out);
  }
}
