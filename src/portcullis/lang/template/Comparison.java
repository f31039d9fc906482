package portcullis.lang.template;

import java.util.Map;
import portcullis.lang.value.ValueException;

/** Go's {@code eq ne lt le gt ge}: numbers of different kinds cannot be compared. */
final class Comparison {
  static final Map<String, Function> ALL = new FunctionSet()
      .variadic("eq", a -> Item.of(equalsAny(a)), Param.VALUE, Param.VALUE)
      .with("ne", a -> Item.of(!equal(a.item(0), a.item(1))), Param.VALUE, Param.VALUE)
      .with("lt", a -> Item.of(less(a.item(0), a.item(1))), Param.VALUE, Param.VALUE)
      .with("le", a -> Item.of(atMost(a)), Param.VALUE, Param.VALUE)
      .with("gt", a -> Item.of(!atMost(a)), Param.VALUE, Param.VALUE)
      .with("ge", a -> Item.of(!less(a.item(0), a.item(1))), Param.VALUE, Param.VALUE)
      .functions();

  /** Items of one kind can be compared. */
  private enum Kind {
    BOOL, WHOLE, REAL, COMPLEX, TEXT, NONE, OTHER
  }

  private Comparison() {}

  private static Kind kind(Item item) {
    return switch (item) {
      case Item.Bool _ -> Kind.BOOL;
      case Item.Whole _ -> Kind.WHOLE;
      case Item.Real _, Item.Exact _ -> Kind.REAL;
      case Item.Complex _ -> Kind.COMPLEX;
      case Item.Text _ -> Kind.TEXT;
      case Item.Absent _, Item.Nil _ -> Kind.NONE;
      case Item.NilPointer _, Item.Sequence _, Dict _, Item.Host _ -> Kind.OTHER;
      case Item.Time _, Item.Zone _, Item.SemVer _ -> Kind.OTHER;
    };
  }

  private static boolean equalsAny(Arguments a) throws ValueException {
    if (a.size() < 2) {
      throw new ValueException("nothing to compare with");
    }
    for (Item other : a.from(1)) {
      if (equal(a.item(0), other)) {
        return true;
      }
    }
    return false;
  }

  static boolean equal(Item a, Item b) throws ValueException {
    Kind kind = kind(a);
    if (kind == Kind.NONE || kind(b) == Kind.NONE) {
      return isNil(a) && isNil(b);
    }
    if (kind != kind(b)) {
      throw incomparable(a, b);
    }
    return switch (kind) {
      case BOOL, COMPLEX, TEXT, NONE -> a.equals(b);
      case WHOLE -> wholesEqual((Item.Whole) a, (Item.Whole) b);
      case REAL -> Casts.real(a) == Casts.real(b);
      case OTHER -> othersEqual(a, b);
    };
  }

  private static boolean isNil(Item item) {
    return switch (item) {
      case Item.Absent _, Item.Nil _, Item.NilPointer _ -> true;
      case Item.Sequence list -> list.nil();
      case Dict dict -> dict.isNil();
      default -> false;
    };
  }

  private static boolean wholesEqual(Item.Whole a, Item.Whole b) {
    return a.value() == b.value() && (a.value() >= 0 || a.type().signed() == b.type().signed());
  }

  private static boolean othersEqual(Item a, Item b) throws ValueException {
    if (!Types.kind(a).equals(Types.kind(b))) {
      throw incomparable(a, b);
    }
    if (isNil(a) || isNil(b)) {
      return isNil(a) && isNil(b);
    }
    return switch (a) {
      case Item.Sequence _, Dict _ -> throw new ValueException(Types.name(a) + " cannot be compared");
      case Item.Host(var object) -> b instanceof Item.Host(var other) && object == other;
      default -> a.equals(b);
    };
  }

  private static boolean less(Item a, Item b) throws ValueException {
    Kind kind = kind(a);
    if (kind != kind(b)) {
      throw incomparable(a, b);
    }
    return switch (kind) {
      case WHOLE -> wholeLess((Item.Whole) a, (Item.Whole) b);
      case REAL -> Casts.real(a) < Casts.real(b);
      case TEXT -> Dict.BY_CHARACTERS.compare(((Item.Text) a).value(), ((Item.Text) b).value()) < 0;
      case BOOL, COMPLEX, NONE, OTHER -> throw new ValueException(Types.name(a) + " has no order");
    };
  }

  private static boolean wholeLess(Item.Whole a, Item.Whole b) {
    if (a.type().signed() == b.type().signed()) {
      return a.type().signed() ? a.value() < b.value() : Long.compareUnsigned(a.value(), b.value()) < 0;
    }
    return a.type().signed() ? a.value() < 0 || b.value() < 0 || a.value() < b.value()
        : b.value() >= 0 && a.value() >= 0 && a.value() < b.value();
  }

  private static boolean atMost(Arguments a) throws ValueException {
    return less(a.item(0), a.item(1)) || equal(a.item(0), a.item(1));
  }

  private static ValueException incomparable(Item a, Item b) {
    boolean numbers = kind(a) == Kind.REAL && kind(b) == Kind.WHOLE || kind(a) == Kind.WHOLE && kind(b) == Kind.REAL;
    return new ValueException(Types.name(a) + " and " + Types.name(b) + " cannot be compared"
        + (numbers ? ": numbers of the data are float64, compare them with numbers such as `42.0`" : ""));
  }
}
