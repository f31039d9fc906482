package portcullis.lang.value;

import java.util.Map;
import java.util.TreeMap;

/** Writes values as JSON as Go's encoding/json does: members sorted by name, no blanks. */
public final class JsonText {
  private static final String HEX = "0123456789abcdef";
  private static final boolean[] PLAIN = plain();

  private final StringBuilder out = new StringBuilder();
  private final boolean forHtml;

  private JsonText(boolean forHtml) {
    this.forHtml = forHtml;
  }

  /** Writes with {@code < > &} escaped, which is Go's default. */
  public static String of(Value value) {
    JsonText text = new JsonText(true);
    text.value(value);
    return text.out.toString();
  }

  /** Writes without escaping {@code < > &}. */
  public static String plain(Value value) {
    JsonText text = new JsonText(false);
    text.value(value);
    return text.out.toString();
  }

  /**
   * Quotes a string.
   *
   * @param forHtml whether {@code < > &} are escaped too
   */
  public static String quoted(String value, boolean forHtml) {
    if (isPlain(value)) {
      return "\"" + value + "\"";
    }
    JsonText text = new JsonText(forHtml);
    text.text(value);
    return text.out.toString();
  }

  /** Returns whether no character can need an escape. */
  public static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= PLAIN.length || !PLAIN[c]) {
        return false;
      }
    }
    return true;
  }

  private static boolean[] plain() {
    boolean[] plain = new boolean['~' + 1];
    for (char c = ' '; c <= '~'; c++) {
      plain[c] = "\"\\<>&".indexOf(c) < 0;
    }
    return plain;
  }

  private void value(Value value) {
    switch (value) {
      case Value.Null _ -> out.append("null");
      case Value.Bool b -> out.append(b.value());
      case Value.Int i -> out.append(i.value());
      case Value.Float f when f.isBig() -> out.append(f.digits());
      case Value.Float f -> out.append(Double.isFinite(f.value()) ? Floats.json(f.value()) : "null");
      case Value.Str t -> text(t.value());
      case Value.Array a -> array(a);
      case Value.Dict d -> dict(d.members());
      case HostObject f -> object(f);
    }
  }

  private void array(Value.Array array) {
    out.append('[');
    String separator = "";
    for (Value item : array.items()) {
      out.append(separator);
      value(item);
      separator = ",";
    }
    out.append(']');
  }

  private void dict(Map<String, Value> members) {
    out.append('{');
    String separator = "";
    Map<String, Value> sorted = members.size() < 2 ? members : new TreeMap<>(members);
    for (Map.Entry<String, Value> member : sorted.entrySet()) {
      out.append(separator);
      text(member.getKey());
      out.append(':');
      value(member.getValue());
      separator = ",";
    }
    out.append('}');
  }

  /** Writes the members of an object in its order, as Go writes a struct. */
  private void object(HostObject object) {
    Map<String, Value> members = new TreeMap<>();
    object.members().forEach(name -> object.member(name).ifPresent(v -> members.put(name, v)));
    dict(members);
  }

  private void text(String text) {
    out.append('"');
    if (isPlain(text)) {
      out.append(text);
    } else {
      for (int i = 0; i < text.length(); i++) {
        character(text.charAt(i));
      }
    }
    out.append('"');
  }

  private void character(char c) {
    switch (c) {
      case '"' -> out.append("\\\"");
      case '\\' -> out.append("\\\\");
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      case '\b' -> out.append("\\b");
      case '\f' -> out.append("\\f");
      case '<', '>', '&' -> htmlSensitive(c);
      case '\u2028', '\u2029' -> escaped(c);
      default -> {
        if (c < ' ') {
          escaped(c);
        } else {
          out.append(c);
        }
      }
    }
  }

  private void htmlSensitive(char c) {
    if (forHtml) {
      escaped(c);
    } else {
      out.append(c);
    }
  }

  private void escaped(char c) {
    out.append("\\u").append(HEX.charAt(c >> 12)).append(HEX.charAt(c >> 8 & 15)).append(HEX.charAt(c >> 4 & 15))
        .append(HEX.charAt(c & 15));
  }
}
