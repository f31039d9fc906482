package portcullis.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/** Writes the default of a key as it would be written in a configuration. */
final class DefaultText {
  private DefaultText() {}

  /** Returns a default as it would be written; empty if that is too long, as for whole sections. */
  static Optional<Value> of(Object absent, Shape shape) {
    return switch (absent) {
      case Optional<?> none -> none.flatMap(value -> of(value, shape));
      case Boolean b -> Optional.of(b ? Value.TRUE : Value.FALSE);
      case Duration d -> Optional.of(Value.of(Durations.text(d)));
      case Number n when shape instanceof Shape.Pattern -> Optional.of(Value.of(Durations.bytesText(n.longValue())));
      case Number n when shape instanceof Shape.Whole -> Optional.of(new Value.Int(n.longValue()));
      case List<?> list when shape instanceof Shape.Items items -> list(list, items.item());
      case Map<?, ?> map when map.isEmpty() -> Optional.of(Value.Dict.EMPTY);
      case Object value when shape instanceof Shape.Text text && !text.choices().isEmpty() ->
        choice(value, text.choices());
      case String text when !text.isEmpty() -> Optional.of(Value.of(text));
      default -> Optional.empty();
    };
  }

  private static Optional<Value> list(List<?> list, Shape item) {
    List<Value> out = new ArrayList<>();
    list.forEach(value -> of(value, item).ifPresent(out::add));
    return out.size() == list.size() ? Optional.of(new Value.Array(out)) : Optional.empty();
  }

  /** Returns the choice that has the same letters and digits. */
  private static Optional<Value> choice(Object value, List<String> choices) {
    String bare = bare(value.toString());
    return choices.stream().filter(c -> bare(c).equals(bare)).findFirst().map(Value::of);
  }

  private static String bare(String text) {
    return text.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
  }

  /** Writes a node in one line; returns an empty string for a missing one. */
  static String text(Object absent, Shape shape) {
    return of(absent, shape).map(value -> value instanceof Value.Str t ? t.value() : JsonText.plain(value)).orElse("");
  }
}
