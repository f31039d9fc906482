package portcullis.lang.template;

/** Returns Go's names of the types and kinds of items. */
final class Types {
  private Types() {}

  static String name(Item item) {
    return switch (item) {
      case Item.Absent _, Item.Nil _ -> "<nil>";
      case Item.NilPointer _ -> "pointer";
      case Item.Bool _ -> "bool";
      case Item.Whole whole -> whole.type().typeName();
      case Item.Real _, Item.Exact _ -> "float64";
      case Item.Complex _ -> "complex128";
      case Item.Text _ -> "string";
      case Item.Sequence list -> list.type().typeName();
      case Dict dict -> dict.type().typeName();
      case Item.Host host -> "*" + host.object().name();
      case Item.Time _ -> "time.Time";
      case Item.Zone _ -> "*time.Location";
      case Item.SemVer _ -> "*semver.Version";
    };
  }

  static String kind(Item item) {
    return switch (item) {
      case Item.Absent _, Item.Nil _ -> "invalid";
      case Item.NilPointer _, Item.Zone _, Item.SemVer _ -> "ptr";
      case Item.Bool _, Item.Real _, Item.Exact _, Item.Complex _, Item.Text _ -> name(item);
      case Item.Whole whole -> whole.type().kind();
      case Item.Sequence _ -> "slice";
      case Dict _ -> "map";
      case Item.Host host -> host.object().entries().isPresent() ? "map" : "ptr";
      case Item.Time _ -> "struct";
    };
  }
}
