package portcullis.reference;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import portcullis.config.Key;
import portcullis.config.Shape;
import portcullis.config.ShapeDescription;
import portcullis.policy.endpoint.EndpointDecoder;

/**
 * The keys of a section, with type and default. A section of the same form as an earlier one refers to that one; the
 * keys of endpoints are on a page of their own.
 */
final class KeyTable {
  private static final int SMALLEST_REFERENCE = 2;
  private static final String ENDPOINT_TITLE = "an endpoint";

  private final List<List<String>> rows = new ArrayList<>();
  private final Map<List<List<String>>, String> known = new HashMap<>();
  private final String endpointPage;

  private KeyTable(String endpointPage) {
    this.endpointPage = endpointPage;
  }

  /** @param endpointPage where the keys of endpoints are; empty to list them */
  static String of(Shape shape, String endpointPage) {
    List<List<String>> rows = rows(shape, endpointPage);
    return rows.isEmpty() ? "" : Prose.table(List.of("key", "type", "default", "what it is"), rows);
  }

  /** Returns a table of keys without defaults, for keys that override others. */
  static String withoutDefaults(Shape shape, String endpointPage) {
    List<List<String>> rows = rows(shape, endpointPage).stream()
        .map(row -> List.of(row.getFirst(), row.get(1), row.getLast())).toList();
    return rows.isEmpty() ? "" : Prose.table(List.of("key", "type", "what it is"), rows);
  }

  private static List<List<String>> rows(Shape shape, String endpointPage) {
    KeyTable table = new KeyTable(endpointPage);
    table.below("", shape);
    return table.rows;
  }

  private void below(String path, Shape shape) {
    switch (shape) {
      case Shape.Members members -> members.keys().stream().filter(key -> !isElsewhere(members, key))
          .forEach(key -> member(path, key));
      case Shape.Items items -> below(path + "[]", items.item());
      case Shape.Named named -> below(path + ".<name>", named.value());
      case Shape.Either either -> either.options().forEach(option -> below(path, option));
      case Shape.Choice choice -> {
        add(path + "." + choice.key(), "one of " + String.join(", ", choice.options().keySet()), "", "");
        choice.options().forEach((name, option) -> below(path.replaceFirst("\\[]$", "") + "[" + name + "]", option));
      }
      case Shape.Text _, Shape.Pattern _, Shape.Single _, Shape.Whole _, Shape.Flag _, Shape.Anything _ -> {
      }
    }
  }

  private boolean isElsewhere(Shape.Members members, Key<?> key) {
    return !endpointPage.isEmpty() && members.title().equals(ENDPOINT_TITLE) && endpointKeys().contains(key.name());
  }

  /** Returns the names of the keys that every endpoint has. */
  private static Set<String> endpointKeys() {
    return ((Shape.Either) EndpointDecoder.decoder().shape()).options().stream()
        .filter(Shape.Members.class::isInstance).flatMap(option -> ((Shape.Members) option).keys().stream())
        .map(Key::name).collect(Collectors.toUnmodifiableSet());
  }

  private void member(String parent, Key<?> key) {
    String path = parent.isEmpty() ? key.name() : parent + "." + key.name();
    Shape shape = key.decoder().shape();
    String absent = key.required() ? "required" : Prose.code(key.defaultText());
    String type = !endpointPage.isEmpty() && isEndpoint(shape) ? "[endpoint](" + endpointPage + ")"
        : ShapeDescription.kind(shape);
    List<List<String>> within = List.copyOf(rows(shape, endpointPage));
    String same = within.size() < SMALLEST_REFERENCE ? null : known.putIfAbsent(within, path);
    if (same == null) {
      add(path, type, absent, key.doc());
      below(path, shape);
    } else {
      add(path, type, absent, key.doc() + "; the same keys as `" + same + "`");
    }
  }

  private static boolean isEndpoint(Shape shape) {
    return shape instanceof Shape.Either either && either.options().stream()
        .anyMatch(option -> option instanceof Shape.Members members && members.title().equals(ENDPOINT_TITLE));
  }

  private void add(String path, String type, String absent, String doc) {
    List<String> row = List.of(Prose.code(path), type, absent, doc);
    if (rows.stream().noneMatch(one -> one.getFirst().equals(row.getFirst()))) {
      rows.add(row);
    }
  }
}
