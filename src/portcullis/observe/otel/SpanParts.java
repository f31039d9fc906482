package portcullis.observe.otel;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import portcullis.lang.value.Value;

/** Common parts of span formats. */
final class SpanParts {
  private static final AttributeKey<String> SERVICE = AttributeKey.stringKey("service.name");

  private SpanParts() {}

  /** Returns all attributes as strings, by name. */
  static Map<String, Value> strings(Attributes attributes) {
    Map<String, Value> out = new TreeMap<>();
    attributes.forEach((key, value) -> out.put(key.getKey(), Value.of(value.toString())));
    return out;
  }

  static String service(SpanData span) {
    return Optional.ofNullable(span.getResource().getAttribute(SERVICE)).orElse("");
  }

  static boolean hasParent(SpanData span) {
    return span.getParentSpanContext().isValid();
  }
}
