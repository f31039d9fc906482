package portcullis.observe.otel;

import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;

/**
 * Reads a request's fields for propagators; one that stands there more than once is read only where its lines make a
 * list.
 */
final class FieldsGetter implements TextMapGetter<Fields> {
  /** W3C Baggage, 3.3.2: more than that is nobody's right. */
  private static final int LONGEST = 8192;
  private static final List<String> LISTS = List.of("tracestate", "baggage");

  @Override
  public Iterable<String> keys(Fields fields) {
    List<String> names = new ArrayList<>(fields.size());
    for (Field field : fields) {
      names.add(field.name().toLowerCase(Locale.ROOT));
    }
    return names;
  }

  @Override
  public String get(Fields fields, String name) {
    List<String> all = fields == null ? List.of() : fields.all(name);
    boolean list = LISTS.contains(name.toLowerCase(Locale.ROOT));
    if (all.isEmpty() || all.size() > 1 && !list) {
      return null;
    }
    String value = String.join(",", all);
    return value.length() > LONGEST ? null : value;
  }

  @Override
  public Iterator<String> getAll(Fields fields, String name) {
    String value = get(fields, name);
    return value == null ? List.<String>of().iterator() : List.of(value).iterator();
  }
}
