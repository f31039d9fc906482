package portcullis.lang.template;

/** Go's integer types that occur in templates. */
enum WholeType {
  INT("int", "int"), INT64("int64", "int64"), INT32("int32", "int32"), UINT8("uint8", "uint8"),
  UINT64("uint64", "uint64"),
  DURATION("time.Duration", "int64"), MONTH("time.Month", "int"), WEEKDAY("time.Weekday", "int");

  private final String typeName;
  private final String kind;

  WholeType(String typeName, String kind) {
    this.typeName = typeName;
    this.kind = kind;
  }

  String typeName() {
    return typeName;
  }

  String kind() {
    return kind;
  }

  boolean signed() {
    return this != UINT8 && this != UINT64;
  }
}
