package portcullis.observe.otel;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import portcullis.lang.value.Value;

/** What forms of spans have in common. */
final class SpanParts {
  private static final AttributeKey<String> SERVICE = AttributeKey.stringKey("service.name");

  private SpanParts() {}

  /** All as texts, by name. */
  static Map<String, Value> texts(Attributes attributes) {
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
