package portcullis.lang.template;

/** Go's map types that occur in templates. */
enum DictType {
  ANY("map[string]interface {}"), TEXT("map[string]string");

  private final String typeName;

  DictType(String typeName) {
    this.typeName = typeName;
  }

  String typeName() {
    return typeName;
  }
}
