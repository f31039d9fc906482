package portcullis.lang.value;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A value that templates and expressions read: JSON with exact 64-bit integers, or an object of the program. */
public sealed interface Value
    permits Value.Null, Value.Bool, Value.Int, Value.Float, Value.Text, Value.Array, Value.Dict,
    Facade {
  Value NULL = new Null();
  Bool TRUE = new Bool(true);
  Bool FALSE = new Bool(false);
  Text EMPTY_TEXT = new Text("");

  record Null() implements Value {}

  record Bool(boolean value) implements Value {}

  /**
   * An integer.
   *
   * @param typed whether its format has integers, as YAML does and JSON does not: then templates and expressions see an
   *     int
   */
  record Int(long value, boolean typed) implements Value {
    public Int(long value) {
      this(value, false);
    }
  }

  /**
   * A number.
   *
   * @param digits of an integer beyond 64 bits, exactly as written; empty for every other number
   */
  record Float(double value, String digits) implements Value {
    public Float(double value) {
      this(value, "");
    }

    /** Returns whether only {@link #digits} holds it exactly. */
    public boolean isBig() {
      return !digits.isEmpty();
    }
  }

  record Text(String value) implements Value {}

  /** A list, which callers do not change after passing it. */
  record Array(List<Value> items) implements Value {
    public static final Array EMPTY = new Array(List.of());

    public Array {
      items = Collections.unmodifiableList(items);
    }

    public static Array ofTexts(List<String> texts) {
      return new Array(texts.stream().map(Value::of).toList());
    }
  }

  /**
   * Members by name in the order in which they were written. Callers do not change the map after passing it.
   */
  record Dict(Map<String, Value> members) implements Value {
    public static final Dict EMPTY = new Dict(Map.of());

    public Dict {
      members = members instanceof TextMembers ? members : Collections.unmodifiableMap(members);
    }

    public Optional<Value> get(String name) {
      return Optional.ofNullable(members.get(name));
    }

    public static Dict ofTexts(Map<String, String> texts) {
      Map<String, Value> out = LinkedHashMap.newLinkedHashMap(texts.size());
      texts.forEach((name, text) -> out.put(name, of(text)));
      return new Dict(new TextMembers(out));
    }

    /** Returns whether it is a map of strings, as headers and captures are, which is a type of its own to templates. */
    public boolean ofTexts() {
      return members instanceof TextMembers;
    }
  }

  static Value of(String text) {
    return text.isEmpty() ? EMPTY_TEXT : new Text(text);
  }

  static Bool of(boolean value) {
    return value ? TRUE : FALSE;
  }

  static Int of(long value) {
    return new Int(value);
  }

  static Float of(double value) {
    return new Float(value);
  }

  static Array of(Value... items) {
    return new Array(new ArrayList<>(List.of(items)));
  }

  /** Returns a dict with one member. */
  static Dict dict(String name, Value value) {
    return new Dict(Map.of(name, value));
  }
}
