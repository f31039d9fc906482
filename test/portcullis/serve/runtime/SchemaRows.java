package portcullis.serve.runtime;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import portcullis.config.Key;
import portcullis.config.Shape;
import portcullis.config.ShapeDescription;

/**
 * Lists the keys of a schema, each once: where a section is of the same form as one before, it is one row that refers
 * to that one. Items of a list are {@code []}, free names {@code <name>}, forms that depend on a type {@code [type]}.
 */
final class SchemaRows {
  private static final int SMALLEST_REFERENCE = 2;

  private final List<Row> out = new ArrayList<>();
  private final Map<List<Row>, String> known = new HashMap<>();

  /**
   * A key.
   *
   * @param path from the root
   * @param type what its value has to be
   * @param absent the default, {@code required}, or empty
   */
  record Row(String path, String type, String absent, String doc) {
    /** Returns this row with more words at its end. */
    Row with(String more) {
      return new Row(path, type, absent, doc + "; " + more);
    }

    String line() {
      return "| `" + path + "` | " + type.replace("|", "\\|") + " | "
          + (absent.isEmpty() ? "" : absent.equals("required") ? absent : "`" + absent + "`")
          + " | " + doc.replace("|", "\\|") + " |";
    }
  }

  static List<Row> of(Shape shape) {
    SchemaRows rows = new SchemaRows();
    rows.below("", shape);
    return List.copyOf(rows.out);
  }

  private void below(String path, Shape shape) {
    switch (shape) {
      case Shape.Members members -> members.keys().forEach(key -> member(path, key));
      case Shape.Items items -> below(path + "[]", items.item());
      case Shape.Named named -> below(path + ".<name>", named.value());
      case Shape.Either either -> either.options().forEach(option -> below(path, option));
      case Shape.Choice choice -> {
        add(new Row(path + "." + choice.key(), "one of " + String.join(", ", choice.options().keySet()), "", ""));
        choice.options().forEach((name, option) -> below(chosen(path, name), option));
      }
      default -> {
      }
    }
  }

  private void add(Row row) {
    if (out.stream().noneMatch(one -> one.path().equals(row.path()))) {
      out.add(row);
    }
  }

  private static String chosen(String path, String name) {
    return (path.endsWith("[]") ? path.substring(0, path.length() - 2) : path) + "[" + name + "]";
  }

  private void member(String parent, Key<?> key) {
    String path = parent.isEmpty() ? key.name() : parent + "." + key.name();
    Shape shape = key.decoder().shape();
    String absent = shape instanceof Shape.Members ? "" : key.defaultText();
    Row row = new Row(path, ShapeDescription.kind(shape), key.required() ? "required" : absent, key.doc());
    if (out.stream().anyMatch(one -> one.path().equals(path))) {
      return;
    }
    List<Row> within = within(shape);
    String same = within.size() < SMALLEST_REFERENCE ? null : known.putIfAbsent(within, path);
    if (same == null) {
      out.add(row);
      below(path, shape);
    } else {
      out.add(row.with("the same keys as `" + same + "`"));
    }
  }

  private static List<Row> within(Shape shape) {
    SchemaRows rows = new SchemaRows();
    rows.below("", shape);
    return rows.out;
  }
}
