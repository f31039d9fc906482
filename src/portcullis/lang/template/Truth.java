package portcullis.lang.template;

/** Decides whether an item is true: all but missing, zero and empty ones are. */
final class Truth {
  private Truth() {}

  static boolean of(Item item) {
    return switch (item) {
      case Item.Absent _, Item.Nil _, Item.NilPointer _ -> false;
      case Item.Bool(boolean value) -> value;
      case Item.Whole whole -> whole.value() != 0;
      case Item.Real(double value) -> value != 0;
      case Item.Exact _ -> true;
      case Item.Complex(double real, double imaginary) -> real != 0 || imaginary != 0;
      case Item.Text(String text) -> !text.isEmpty();
      case Item.Sequence list -> !list.items().isEmpty();
      case Dict dict -> dict.size() > 0;
      case Item.Host host ->
        !host.object().isNothing() && host.object().entries().map(d -> !d.members().isEmpty()).orElse(true);
      case Item.Time _, Item.Zone _, Item.SemVer _ -> true;
    };
  }
}
