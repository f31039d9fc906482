package portcullis.lang.expression;

import java.time.Instant;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import portcullis.lang.address.Network;
import portcullis.lang.value.HostObject;
import portcullis.lang.value.Value;

/**
 * A value of CEL: a view of a value of the request, or one that only CEL has. Immutable.
 */
sealed interface Val permits Val.Null, Val.Bool, Val.Int, Val.Uint, Val.Real, Val.Text, Val.Bytes, Val.Time, Val.Span,
    Val.Type, Val.Items, Entries, Val.Host, Val.Networks, Val.Kinds {
  Null NULL = new Null();
  Bool TRUE = new Bool(true);
  Bool FALSE = new Bool(false);
  Text EMPTY = new Text("");

  /** Integers of JSON below this are doubles, as in heimdall; a double would round larger ones. */
  long EXACT = 1L << 53;

  /** Returns the name of the type, such as {@code string}. */
  String type();

  record Null() implements Val {
    @Override
    public String type() {
      return "null_type";
    }
  }

  record Bool(boolean value) implements Val {
    @Override
    public String type() {
      return "bool";
    }
  }

  record Int(long value) implements Val {
    @Override
    public String type() {
      return "int";
    }
  }

  /** An unsigned 64-bit integer. */
  record Uint(long bits) implements Val {
    @Override
    public String type() {
      return "uint";
    }
  }

  record Real(double value) implements Val {
    @Override
    public String type() {
      return "double";
    }
  }

  record Text(String value) implements Val {
    @Override
    public String type() {
      return "string";
    }
  }

  /** Bytes; the array is not modified. */
  record Bytes(byte[] value) implements Val {
    @Override
    public String type() {
      return "bytes";
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Bytes bytes && Arrays.equals(value, bytes.value);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(value);
    }
  }

  /**
   * A point in time.
   *
   * @param offset the seconds east of UTC that it was written with and prints with; it does not matter for equality
   */
  record Time(Instant value, int offset) implements Val {
    @Override
    public boolean equals(Object other) {
      return other instanceof Time time && value.equals(time.value);
    }

    @Override
    public int hashCode() {
      return value.hashCode();
    }

    @Override
    public String type() {
      return "google.protobuf.Timestamp";
    }
  }

  /** A duration of 64 bits, as in Go. */
  record Span(long nanos) implements Val {
    @Override
    public String type() {
      return "google.protobuf.Duration";
    }
  }

  /** A type itself: {@code type(1)} is {@code int}. */
  record Type(String name) implements Val {
    @Override
    public String type() {
      return "type";
    }
  }

  /** A list; elements of a list of the request are converted when they are read. */
  record Items(List<Val> values) implements Val {
    static final Items NONE = new Items(List.of());

    @Override
    public String type() {
      return "list";
    }
  }

  /** A host object. */
  record Host(HostObject object) implements Val {
    @Override
    public String type() {
      return object.name();
    }
  }

  /** The result of {@code networks()}. */
  record Networks(Set<Network> networks) implements Val {
    @Override
    public String type() {
      return "networks";
    }
  }

  /** The kinds of an error, or the single kind that a constant names. */
  record Kinds(Set<ErrorKind> kinds, boolean constant) implements Val {
    @Override
    public String type() {
      return "error_type";
    }
  }

  static Bool of(boolean value) {
    return value ? TRUE : FALSE;
  }

  static Text of(String value) {
    return value.isEmpty() ? EMPTY : new Text(value);
  }

  /** Returns the view of a value. */
  static Val of(Value value) {
    return switch (value) {
      case Value.Str t -> new Text(t.value());
      case Value.Bool b -> of(b.value());
      case Value.Float f -> new Real(f.value());
      case Value.Int i ->
        !i.typed() && i.value() > -EXACT && i.value() < EXACT ? new Real(i.value()) : new Int(i.value());
      case Value.Null _ -> NULL;
      case Value.Array a -> new Items(new Elements(a.items()));
      case Value.Dict d -> new Entries.OfData(d);
      case HostObject f -> new Host(f);
    };
  }

  /** The elements of a list of the request. */
  final class Elements extends AbstractList<Val> {
    private final List<Value> items;

    private Elements(List<Value> items) {
      this.items = items;
    }

    @Override
    public Val get(int index) {
      return of(items.get(index));
    }

    @Override
    public int size() {
      return items.size();
    }
  }

  /** Returns the string, if it is one. */
  default Optional<String> text() {
    return this instanceof Text t ? Optional.of(t.value) : Optional.empty();
  }
}
