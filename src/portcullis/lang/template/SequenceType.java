package portcullis.lang.template;

/** Go's slice types that occur in templates. */
enum SequenceType {
  ANY("[]interface {}"), TEXT("[]string"), INT("[]int"), LISTS("[][]interface {}");

  private final String typeName;

  SequenceType(String typeName) {
    this.typeName = typeName;
  }

  String typeName() {
    return typeName;
  }
}
