package portcullis.lang.value;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A value that templates and expressions read: JSON with exact 64-bit integers, or an object of the program. */
public sealed interface Value
    permits Value.Null, Value.Bool, Value.Int, Value.Float, Value.Str, Value.Array, Value.Dict,
    HostObject {
  Value NULL = new Null();
  Bool TRUE = new Bool(true);
  Bool FALSE = new Bool(false);
  Str EMPTY_STRING = new Str("");

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

  record Str(String value) implements Value {}

  /** A list, which callers do not change after passing it. */
  record Array(List<Value> items) implements Value {
    public static final Array EMPTY = new Array(List.of());

    public Array {
      items = Collections.unmodifiableList(items);
    }

    public static Array ofStrings(List<String> strings) {
      return new Array(strings.stream().map(Value::of).toList());
    }
  }

  /**
   * Members by name in the order in which they were written. Callers do not change the map after passing it.
   */
  record Dict(Map<String, Value> members) implements Value {
    public static final Dict EMPTY = new Dict(Map.of());

    public Dict {
      members = members instanceof StringMembers ? members : Collections.unmodifiableMap(members);
    }

    public Optional<Value> get(String name) {
      return Optional.ofNullable(members.get(name));
    }

    public static Dict ofStrings(Map<String, String> strings) {
      Map<String, Value> out = LinkedHashMap.newLinkedHashMap(strings.size());
      strings.forEach((name, string) -> out.put(name, of(string)));
      return new Dict(new StringMembers(out));
    }

    /** Returns whether it is a map of strings, as headers and captures are, which is a type of its own to templates. */
    public boolean isOfStrings() {
      return members instanceof StringMembers;
    }
  }

  static Value of(String string) {
    return string.isEmpty() ? EMPTY_STRING : new Str(string);
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
