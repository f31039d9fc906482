package portcullis.lang.gjson;

import java.util.List;
import java.util.Optional;
import portcullis.lang.value.Value;

/**
 * A path into a JSON document in the syntax of gjson, such as {@code friends.#(age>45)#.name}. Every string is a path;
 * one without a meaning finds nothing. Immutable and thread-safe.
 */
public final class GjsonPath {
  private static final int MAX_LENGTH = 1_000;

  private final String path;
  /** The names and positions of a path that consists of nothing else; otherwise empty. */
  private final List<String> names;

  private GjsonPath(String path) {
    this.path = path;
    boolean plain = !path.startsWith(".") && path.chars().noneMatch(c -> "|#*?\\@!{}[]()\"".indexOf(c) >= 0);
    names = plain ? List.of(path.split("\\.", -1)) : List.of();
  }

  public static GjsonPath parse(String path) {
    return new GjsonPath(path);
  }

  /** Returns what the path finds in the document, or an empty optional. A null that it finds is {@link Value#NULL}. */
  public Optional<Value> get(Value document) {
    if (path.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    if (names.isEmpty()) {
      return new Evaluation().find(document, path);
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
      case Value.Array array -> ArrayStep.element(array.items(), name);
      default -> Optional.empty();
    };
  }

  /** Returns the value as gjson prints it: strings as they are, null as nothing, objects and arrays as JSON. */
  public static String text(Value value) {
    return switch (value) {
      case Value.Null _ -> "";
      case Value.Str text -> text.value();
      case Value.Bool bool -> Boolean.toString(bool.value());
      case Value.Int number -> Long.toString(number.value());
      case Value.Float number -> number.isBig() ? number.digits() : GoScalars.plain(number.value());
      default -> CompactJson.of(value);
    };
  }

  /**
   * Returns whether gjson reads the value as true: true, numbers but 0, the strings {@code 1}, {@code t}, {@code true}.
   */
  public static boolean isTrue(Value value) {
    return switch (value) {
      case Value.Bool bool -> bool.value();
      case Value.Int number -> number.value() != 0;
      case Value.Float number -> number.value() != 0;
      case Value.Str text -> GoScalars.isTrue(text.value());
      default -> false;
    };
  }

  @Override
  public String toString() {
    return path;
  }
}
