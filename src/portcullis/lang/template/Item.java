package portcullis.lang.template;

import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import portcullis.lang.value.Facade;

/**
 * What templates compute with: Go's values, as far as a template can tell them apart. Immutable but for {@link Dict}.
 */
sealed interface Item permits Item.Absent, Item.Nil, Item.NilPointer, Item.Bool, Item.Whole, Item.Real, Item.Exact,
    Item.Complex, Item.Text, Item.Sequence, Dict, Item.Thing, Item.Time, Item.Zone, Item.Release {
  Item ABSENT = new Absent();
  Item NIL = new Nil();
  Item NIL_POINTER = new NilPointer();
  Bool TRUE = new Bool(true);
  Bool FALSE = new Bool(false);
  Text EMPTY_TEXT = new Text("");

  /** Nothing at all, as a member that a map does not have. */
  record Absent() implements Item {}

  /** JSON's null and Go's untyped nil. */
  record Nil() implements Item {}

  /** An object that is not there, as the subject of a request nobody is known for. */
  record NilPointer() implements Item {}

  record Bool(boolean value) implements Item {}

  record Whole(long value, WholeType type) implements Item {}

  /** A float64; so is every number of the data. */
  record Real(double value) implements Item {}

  /** A whole number of the data that no float64 holds: it counts as the nearest one but keeps its digits. */
  record Exact(long value) implements Item {}

  record Complex(double real, double imaginary) implements Item {}

  /** A text; see {@link Bytes}. */
  record Text(String value) implements Item {}

  /** A list; {@code nil} tells Go's nil list from an empty one. */
  record Sequence(SequenceType type, List<Item> items, boolean nil) implements Item {
    Sequence(SequenceType type, List<Item> items) {
      this(type, items, false);
    }
  }

  /** An object of the program. */
  record Thing(Facade facade) implements Item {}

  /**
   * A moment in a zone.
   *
   * @param zoneName of a zone that is known by name only; else empty
   */
  record Time(ZonedDateTime value, String zoneName) implements Item {
    Time(ZonedDateTime value) {
      this(value, "");
    }
  }

  /** A time zone. */
  record Zone(ZoneId value) implements Item {}

  /** A semantic version. */
  record Release(Version value) implements Item {}

  static Bool of(boolean value) {
    return value ? TRUE : FALSE;
  }

  static Text of(String value) {
    return value.isEmpty() ? EMPTY_TEXT : new Text(value);
  }

  static Whole ofInt(long value) {
    return new Whole(value, WholeType.INT);
  }

  static Whole ofInt64(long value) {
    return new Whole(value, WholeType.INT64);
  }

  static Real of(double value) {
    return new Real(value);
  }

  static Sequence list(List<Item> items) {
    return new Sequence(SequenceType.ANY, items);
  }

  static Sequence texts(List<String> texts) {
    return new Sequence(SequenceType.TEXT, texts.stream().map(t -> (Item) of(t)).toList());
  }

  static Sequence nilList(SequenceType type) {
    return new Sequence(type, List.of(), true);
  }
}
