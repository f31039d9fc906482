package portcullis.lang.gjson;

import java.util.List;
import java.util.Optional;
import portcullis.lang.value.Value;

/**
 * A path in a JSON document in the syntax of gjson, as {@code friends.#(age>45)#.name}. Every text is a path; one that
 * means nothing finds nothing. Immutable, for any thread.
 */
public final class GjsonPath {
  private static final int LONGEST = 1_000;

  private final String path;
  /** The names and positions on the way, where there is nothing else in the path; else empty. */
  private final List<String> names;

  private GjsonPath(String path) {
    this.path = path;
    boolean plain = !path.startsWith(".") && path.chars().noneMatch(c -> "|#*?\\@!{}[]()\"".indexOf(c) >= 0);
    names = plain ? List.of(path.split("\\.", -1)) : List.of();
  }

  public static GjsonPath parse(String path) {
    return new GjsonPath(path);
  }

  /**
   * What is found in a document that was read before; empty if nothing is. Blanks between the parts of the document and
   * members that were written twice are not there any more.
   */
  public Optional<Value> get(Value document) {
    if (names.isEmpty()) {
      GjsonResult result = find(Compact.text(document));
      return result.exists() ? Optional.of(result.value()) : Optional.empty();
    }
    Optional<Value> at = Optional.of(document);
    for (String name : names) {
      at = at.flatMap(value -> step(value, name));
    }
    return at;
  }

  private static Optional<Value> step(Value value, String name) {
    return switch (value) {
      case Value.Dict dict -> dict.get(name);
      case Value.Array array -> element(array.items(), name);
      default -> Optional.empty();
    };
  }

  private static Optional<Value> element(List<Value> items, String name) {
    int position = ArrayStep.position(name);
    return position >= 0 && position < items.size() ? Optional.of(items.get(position)) : Optional.empty();
  }

  /**
   * What is found in a JSON text, which need not be well formed. Paths beyond a thousand characters find nothing, nor
   * do modifiers that would blow the document up.
   */
  public GjsonResult find(String json) {
    return path.length() > LONGEST ? GjsonResult.NONE : new Search().get(json, path);
  }

  /** As gjson prints a value that it found: texts as they are, null as nothing, objects and lists as JSON. */
  public static String text(Value value) {
    return switch (value) {
      case Value.Null _ -> "";
      case Value.Text text -> text.value();
      case Value.Bool bool -> Boolean.toString(bool.value());
      case Value.Int number -> Long.toString(number.value());
      case Value.Float number -> number.isBig() ? number.digits() : Digits.plain(number.value());
      default -> Compact.text(value);
    };
  }

  /**
   * As gjson takes a value for true: true, a number that is not 0, and the texts {@code 1}, {@code t} and {@code true}.
   */
  public static boolean isTrue(Value value) {
    return switch (value) {
      case Value.Bool bool -> bool.value();
      case Value.Int number -> number.value() != 0;
      case Value.Float number -> number.value() != 0;
      case Value.Text text -> Digits.isTrue(text.value());
      default -> false;
    };
  }

  @Override
  public String toString() {
    return path;
  }
}
