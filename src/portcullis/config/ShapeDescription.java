package portcullis.config;

import java.util.stream.Collectors;

/** Describes shapes for people: each member with its kind, its default, and its sentence. */
public final class ShapeDescription {
  private final StringBuilder out = new StringBuilder();

  private ShapeDescription() {}

  /** Returns lines, nested ones indented by two blanks; of a single value its kind. */
  public static String of(Shape shape) {
    ShapeDescription text = new ShapeDescription();
    text.below(shape, "");
    return text.out.isEmpty() ? kind(shape) + "\n" : text.out.toString();
  }

  /** Adds the lines of the keys within a shape. */
  private void below(Shape shape, String indent) {
    switch (shape) {
      case Shape.Members members -> members.keys().forEach(key -> member(key, indent));
      case Shape.Items items -> below(items.item(), indent);
      case Shape.Named named -> below(named.value(), indent);
      case Shape.Either either -> either.options().forEach(option -> below(option, indent));
      case Shape.Choice choice -> choice.options().forEach((name, option) -> {
        line(indent, choice.key() + ": " + name);
        below(option, indent + "  ");
      });
      case Shape.Text _, Shape.Pattern _, Shape.Single _, Shape.Whole _, Shape.Flag _, Shape.Anything _ -> {
      }
    }
  }

  private void member(Key<?> key, String indent) {
    Shape shape = key.decoder().shape();
    String without = key.required() ? "; required"
        : key.defaultText().isEmpty() ? "" : "; default " + key.defaultText();
    line(indent, key.name() + ": " + kind(shape) + without);
    if (!key.doc().isEmpty()) {
      line(indent, "    " + key.doc());
    }
    below(shape, indent + "  ");
  }

  private void line(String indent, String text) {
    out.append(indent).append(text).append('\n');
  }

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
