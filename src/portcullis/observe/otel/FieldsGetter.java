package portcullis.observe.otel;

import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;

/**
 * Reads the fields of a request for propagators. A field with several lines is read only if it is defined as a list.
 */
final class FieldsGetter implements TextMapGetter<Fields> {
  /** The limit of W3C Baggage, 3.3.2. */
  private static final int MAX_LENGTH = 8192;
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
    return value.length() > MAX_LENGTH ? null : value;
  }

  @Override
  public Iterator<String> getAll(Fields fields, String name) {
    String value = get(fields, name);
    return value == null ? List.<String>of().iterator() : List.of(value).iterator();
  }
}
