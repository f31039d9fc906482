package portcullis.config;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/** Writes JSON, members in their order. */
public final class JsonLayout {
  private final StringBuilder out = new StringBuilder();

  private JsonLayout() {}

  /** Returns the JSON of a value on one line, {@code < > &} escaped. */
  public static String line(Value value) {
    return switch (value) {
      case Value.Dict d -> d.members().entrySet().stream()
          .map(member -> JsonText.quoted(member.getKey(), true) + ":" + line(member.getValue()))
          .collect(Collectors.joining(",", "{", "}"));
      case Value.Array a -> a.items().stream().map(JsonLayout::line).collect(Collectors.joining(",", "[", "]"));
      default -> JsonText.of(value);
    };
  }

  static String of(Value value) {
    JsonLayout layout = new JsonLayout();
    layout.write(value, "");
    return layout.out.append('\n').toString();
  }

  private void write(Value value, String indent) {
    switch (value) {
      case Value.Dict d when !d.members().isEmpty() -> dict(d, indent);
      case Value.Array a when a.items().stream().anyMatch(Value.Dict.class::isInstance) -> array(a.items(), indent);
      case Value.Array a ->
        out.append(a.items().stream().map(JsonText::plain).collect(Collectors.joining(", ", "[", "]")));
      default -> out.append(JsonText.plain(value));
    }
  }

  private void dict(Value.Dict dict, String indent) {
    out.append('{');
    for (Iterator<Map.Entry<String, Value>> i = dict.members().entrySet().iterator(); i.hasNext();) {
      Map.Entry<String, Value> member = i.next();
      out.append('\n').append(indent).append("  ").append(JsonText.quoted(member.getKey(), false)).append(": ");
      write(member.getValue(), indent + "  ");
      out.append(i.hasNext() ? "," : "\n" + indent + "}");
    }
  }

  private void array(List<Value> items, String indent) {
    out.append('[');
    for (Iterator<Value> i = items.iterator(); i.hasNext();) {
      out.append('\n').append(indent).append("  ");
      write(i.next(), indent + "  ");
      out.append(i.hasNext() ? "," : "\n" + indent + "]");
    }
  }
}
