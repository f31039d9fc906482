package portcullis.config;

import java.util.stream.Collectors;

/** Describes in a few words what a key or a value must be, for messages and pages. */
public final class ShapeDescription {
  private ShapeDescription() {}

  /** Describes a key in a few words: {@code it is a whole number: where it listens}. */
  static String describe(Key<?> key) {
    boolean free = key.decoder().shape() instanceof Shape.Anything;
    return free ? key.doc() : "it is " + kind(key.decoder().shape()) + (key.doc().isEmpty() ? "" : ": " + key.doc());
  }

  /** Names the kind of value, with its unit: {@code a duration, as `5s`}. */
  public static String kind(Shape shape) {
    return switch (shape) {
      case Shape.Text text when text.choices().size() == 1 -> "`" + text.choices().getFirst() + "`";
      case Shape.Text text when !text.choices().isEmpty() -> "one of " + String.join(", ", text.choices());
      case Shape.Text text -> text.format().isEmpty() ? "a string" : text.format();
      case Shape.Pattern pattern ->
        pattern.example().isEmpty() ? pattern.what() : pattern.what() + ", " + pattern.example();
      case Shape.Single _ -> "a single value";
      case Shape.Whole whole -> "a whole number" + (whole.least() > Long.MIN_VALUE ? " from " + whole.least() : "")
          + (whole.most() < Integer.MAX_VALUE ? " to " + whole.most() : "");
      case Shape.Flag _ -> "true or false";
      case Shape.Items items ->
        "a list" + (items.least() > 0 ? " of at least " + items.least() : "") + each("item", items.item());
      case Shape.Named named -> "a mapping of free names" + each("value", named.value());
      case Shape.Members _ -> "a mapping";
      case Shape.Either either ->
        either.options().stream().map(ShapeDescription::kind).distinct().collect(Collectors.joining(" or "));
      case Shape.Choice choice -> "a mapping that depends on `" + choice.key() + "`";
      case Shape.Anything _ -> "anything";
    };
  }

  private static String each(String part, Shape shape) {
    return shape instanceof Shape.Anything ? "" : ", each " + part + " " + kind(shape);
  }
}
