package portcullis.lang.template;

import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import portcullis.lang.value.HostObject;

/**
 * A value of a template, with Go's types as far as a template can distinguish them. Immutable except {@link Dict}.
 */
sealed interface Item permits Item.Absent, Item.Nil, Item.NilPointer, Item.Bool, Item.Whole, Item.Real, Item.Exact,
    Item.Complex, Item.Text, Item.Sequence, Dict, Item.Host, Item.Time, Item.Zone, Item.SemVer {
  Item ABSENT = new Absent();
  Item NIL = new Nil();
  Item NIL_POINTER = new NilPointer();
  Bool TRUE = new Bool(true);
  Bool FALSE = new Bool(false);
  Text EMPTY_STRING = new Text("");

  /** A missing value, as a member that a map does not have. */
  record Absent() implements Item {}

  /** JSON's null, Go's untyped nil. */
  record Nil() implements Item {}

  /** A nil object, as the subject of an unauthenticated request. */
  record NilPointer() implements Item {}

  record Bool(boolean value) implements Item {}

  record Whole(long value, WholeType type) implements Item {}

  /** A float64, as every number of the data is. */
  record Real(double value) implements Item {}

  /** An integer of the data that no float64 holds: computes as the nearest one but prints its digits. */
  record Exact(String digits, double nearest) implements Item {}

  record Complex(double real, double imaginary) implements Item {}

  /** A string, which may hold invalid UTF-8; see {@link Bytes}. */
  record Text(String value) implements Item {}

  /** A list; {@code nil} marks Go's nil slice, which is not an empty one. */
  record Sequence(SequenceType type, List<Item> items, boolean nil) implements Item {
    Sequence(SequenceType type, List<Item> items) {
      this(type, items, false);
    }
  }

  /** An object of the program, as the request. */
  record Host(HostObject object) implements Item {}

  /**
   * A time in a zone.
   *
   * @param zoneName of a zone whose offset is unknown; else empty
   */
  record Time(ZonedDateTime value, String zoneName) implements Item {
    Time(ZonedDateTime value) {
      this(value, "");
    }
  }

  /** A time zone. */
  record Zone(ZoneId value) implements Item {}

  /** A semantic version. */
  record SemVer(Version value) implements Item {}

  static Bool of(boolean value) {
    return value ? TRUE : FALSE;
  }

  static Text of(String value) {
    return value.isEmpty() ? EMPTY_STRING : new Text(value);
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
