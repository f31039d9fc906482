package portcullis.observe.otel;

import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.context.propagation.TextMapSetter;
import java.util.Collection;
import java.util.List;

/**
 * Propagates W3C baggage unchanged. It is not needed here, and parsing and formatting it would change order and
 * escapes.
 */
final class BaggagePassing implements TextMapPropagator {
  private static final String FIELD = "baggage";
  private static final ContextKey<String> KEY = ContextKey.named(FIELD);

  @Override
  public Collection<String> fields() {
    return List.of(FIELD);
  }

  @Override
  public <C> void inject(Context context, C carrier, TextMapSetter<C> setter) {
    String text = context.get(KEY);
    if (text != null) {
      setter.set(carrier, FIELD, text);
    }
  }

  @Override
  public <C> Context extract(Context context, C carrier, TextMapGetter<C> getter) {
    String text = getter.get(carrier, FIELD);
    return text == null ? context : context.with(KEY, text);
  }
}
