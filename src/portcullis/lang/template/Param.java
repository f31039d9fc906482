package portcullis.lang.template;

import java.util.Optional;
import portcullis.lang.value.ValueException;

/** The type of a parameter; Go converts constants to it and nothing else. */
enum Param {
  /** Anything, {@link Item#NIL} for what is absent. */
  ANY("interface {}"),
  /** Anything, unchanged. */
  VALUE("reflect.Value"),
  TEXT("string"), INT("int"), INT64("int64"), DURATION("time.Duration"), REAL("float64"), BOOL("bool"),
  DICT("map[string]interface {}"), TIME("time.Time"), ZONE("*time.Location"), SEM_VER("*semver.Version");

  private final String typeName;

  Param(String typeName) {
    this.typeName = typeName;
  }

  /** Returns its name in help. */
  String shownName() {
    return switch (this) {
      case ANY, VALUE -> "any";
      case DICT -> "dict";
      case TIME -> "time";
      case ZONE -> "zone";
      case SEM_VER -> "version";
      case DURATION -> "duration";
      case TEXT, INT, INT64, REAL, BOOL -> typeName;
    };
  }

  /** Checks an evaluated argument. */
  Item take(Item item) throws ValueException {
    return switch (this) {
      case VALUE -> item;
      case ANY -> item.equals(Item.ABSENT) ? Item.NIL : item;
      case DICT -> dict(item);
      case REAL ->
        item instanceof Item.Exact(_, double nearest) ? Item.of(nearest) : checked(item, item instanceof Item.Real);
      case TEXT -> checked(item, item instanceof Item.Text);
      case BOOL -> checked(item, item instanceof Item.Bool);
      case INT -> checked(item, isWhole(item, WholeType.INT));
      case INT64 -> checked(item, isWhole(item, WholeType.INT64));
      case DURATION -> checked(item, isWhole(item, WholeType.DURATION));
      case TIME -> checked(item, item instanceof Item.Time);
      case ZONE -> checked(item, item instanceof Item.Zone);
      case SEM_VER -> checked(item, item instanceof Item.SemVer);
    };
  }

  private static boolean isWhole(Item item, WholeType type) {
    return item instanceof Item.Whole whole && whole.type() == type;
  }

  private Item checked(Item item, boolean fits) throws ValueException {
    if (!fits) {
      boolean number = item instanceof Item.Whole || item instanceof Item.Real || item instanceof Item.Exact;
      throw new ValueException(
          "expected " + typeName + ", found " + (item.equals(Item.ABSENT) ? "no value" : Types.name(item))
              + (number && (this == INT || this == INT64) ? ": convert it with `" + typeName + "`" : ""));
    }
    return item;
  }

  private Item dict(Item item) throws ValueException {
    return item.equals(Item.ABSENT) ? Dict.nilDict()
        : checked(item, item instanceof Dict d && d.type() == DictType.ANY);
  }

  /** Converts {@code nil}. */
  Item takeNil() throws ValueException {
    return switch (this) {
      case ANY -> Item.NIL;
      case VALUE -> Item.ABSENT;
      case DICT -> Dict.nilDict();
      case TEXT, INT, INT64, DURATION, REAL, BOOL, TIME, ZONE, SEM_VER ->
        throw new ValueException("expected " + typeName + ", found nil");
    };
  }

  /** Converts a number constant to this type. */
  Item takeNumber(NumberLiteral number) throws ValueException {
    Optional<Item> taken = switch (this) {
      case ANY, VALUE -> Optional.of(number.item());
      case INT -> number.whole().map(Item::ofInt);
      case INT64 -> number.whole().map(Item::ofInt64);
      case DURATION -> number.whole().map(n -> new Item.Whole(n, WholeType.DURATION));
      case REAL -> number.real().map(Item::of);
      case TEXT, BOOL, DICT, TIME, ZONE, SEM_VER -> Optional.empty();
    };
    return taken.orElseThrow(() -> new ValueException("expected " + typeName + ", found `" + number.text() + "`"));
  }
}
