package portcullis.lang.template;

import java.time.format.DateTimeFormatter;
import java.util.List;
import portcullis.lang.value.Floats;
import portcullis.lang.value.HostObject;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.ValueException;

/** Writes items as Go's encoding/json does. */
final class JsonWriter {
  enum Style {
    COMPACT, PRETTY,
    /** Compact, with {@code < > &} as they are. */
    RAW
  }

  private final Output out;
  private final Style style;
  private final ItemFactory items;

  /** Names the first value that JSON cannot represent. */
  private String unwritable = "";

  private JsonWriter(Style style, Rendering rendering) {
    this.out = new Output(rendering.budget());
    this.style = style;
    this.items = rendering.items();
  }

  static String text(Item item, Style style, Rendering rendering) throws ValueException {
    if (item instanceof Item.Text(String text)) {
      return quoted(text, style);
    }
    JsonWriter writer = new JsonWriter(style, rendering);
    writer.write(item, 0);
    if (!writer.unwritable.isEmpty()) {
      throw new ValueException("JSON has no " + writer.unwritable);
    }
    return writer.out.text();
  }

  /** Returns an empty string for a number that JSON cannot represent. */
  static String textIfAny(Item item, Style style, Rendering rendering) throws ValueException {
    if (item instanceof Item.Text(String text)) {
      return quoted(text, style);
    }
    JsonWriter writer = new JsonWriter(style, rendering);
    writer.write(item, 0);
    return writer.unwritable.isEmpty() ? writer.out.text() : "";
  }

  private void write(Item item, int depth) throws ValueException {
    Budget.checkDepth(depth);
    switch (item) {
      case Item.Absent _, Item.Nil _, Item.NilPointer _ -> out.add("null");
      case Item.Bool(boolean truth) -> out.add(Boolean.toString(truth));
      case Item.Whole whole -> out.add(Long.toString(whole.value()));
      case Item.Exact(String digits, _) -> out.add(digits);
      case Item.Real(double real) -> number(real);
      case Item.Complex _ -> unwritable = "complex numbers";
      case Item.Text(String text) -> text(text);
      case Item.Sequence list -> list(list, depth);
      case Dict dict -> dict(dict, depth);
      case Item.Host(HostObject object) when object.isNothing() -> out.add("null");
      case Item.Host(HostObject object) -> dict(members(object), depth);
      case Item.Time time -> out.add(quoted(DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time.value()), style));
      case Item.Zone _ -> out.add("{}");
      case Item.SemVer version -> out.add(quoted(version.value().text(), style));
    }
  }

  private void text(String text) throws ValueException {
    if (JsonText.isPlain(text)) {
      out.add('"').add(text).add('"');
    } else {
      out.add(quoted(text, style));
    }
  }

  private void number(double real) throws ValueException {
    if (Double.isFinite(real)) {
      out.add(Floats.json(real));
    } else {
      unwritable = Floats.text(real);
    }
  }

  /** Writes an invalid byte as the escape of U+FFFD. */
  private static String quoted(String text, Style style) {
    String quoted = JsonText.quoted(text, style != Style.RAW);
    if (!Bytes.hasKept(text)) {
      return quoted;
    }
    StringBuilder out = new StringBuilder(quoted.length());
    for (int i = 0; i < quoted.length(); i++) {
      if (Bytes.keptAt(quoted, i)) {
        out.append("\\ufffd");
      } else {
        out.append(quoted.charAt(i));
      }
    }
    return out.toString();
  }

  private Dict members(HostObject object) {
    if (object.entries().isPresent()) {
      return Dict.of(object.entries().get(), items);
    }
    Dict out = Dict.empty();
    object.members().forEach(name -> object.member(name).ifPresent(value -> out.put(name, items.item(value))));
    return out;
  }

  private void list(Item.Sequence list, int depth) throws ValueException {
    List<Item> items = list.items();
    if (items.isEmpty()) {
      out.add(list.nil() ? "null" : "[]");
      return;
    }
    out.add('[');
    for (int i = 0; i < items.size(); i++) {
      out.add(i > 0 ? "," : "");
      line(depth + 1);
      write(items.get(i), depth + 1);
    }
    line(depth);
    out.add(']');
  }

  private void dict(Dict dict, int depth) throws ValueException {
    if (dict.size() == 0) {
      out.add(dict.isNil() ? "null" : "{}");
      return;
    }
    String separator = "{";
    for (String key : dict.keys()) {
      out.add(separator);
      line(depth + 1);
      out.add(quoted(key, style)).add(style == Style.PRETTY ? ": " : ":");
      write(dict.get(key), depth + 1);
      separator = ",";
    }
    line(depth);
    out.add('}');
  }

  private void line(int depth) throws ValueException {
    if (style == Style.PRETTY) {
      out.add("\n").add("  ".repeat(depth));
    }
  }
}
