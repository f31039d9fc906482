package portcullis.observe.otel;

import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import portcullis.lang.value.Value;

/** Formats spans in Zipkin's model, version 2 (OpenTelemetry specification, trace/sdk_exporters/zipkin). */
final class ZipkinForm {
  private ZipkinForm() {}

  static Value of(Collection<SpanData> spans) {
    return new Value.Array(spans.stream().map(ZipkinForm::of).toList());
  }

  private static Value of(SpanData span) {
    Map<String, Value> out = new TreeMap<>();
    out.put("traceId", Value.of(span.getTraceId()));
    out.put("id", Value.of(span.getSpanId()));
    if (SpanParts.hasParent(span)) {
      out.put("parentId", Value.of(span.getParentSpanId()));
    }
    out.put("name", Value.of(span.getName()));
    if (span.getKind() != SpanKind.INTERNAL) {
      out.put("kind", Value.of(span.getKind().name()));
    }
    out.put("timestamp", Value.of(span.getStartEpochNanos() / 1000));
    out.put("duration", Value.of(Math.max(1, (span.getEndEpochNanos() - span.getStartEpochNanos()) / 1000)));
    out.put("localEndpoint", Value.dict("serviceName", Value.of(SpanParts.service(span))));
    out.put("tags", new Value.Dict(tags(span)));
    return new Value.Dict(out);
  }

  private static Map<String, Value> tags(SpanData span) {
    Map<String, Value> tags = SpanParts.strings(span.getAttributes());
    tags.put("otel.scope.name", Value.of(span.getInstrumentationScopeInfo().getName()));
    if (span.getStatus().getStatusCode() == StatusCode.ERROR) {
      tags.put("otel.status_code", Value.of("ERROR"));
      tags.put("error", Value.of(span.getStatus().getDescription()));
    }
    return tags;
  }
}
