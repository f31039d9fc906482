package portcullis.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.function.Predicate;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Nearest;
import portcullis.lang.source.Problems;

/**
 * Creates the decoders of basic kinds of values. The value of an environment variable is decoded as the kind that is
 * needed.
 */
public final class Decoders {
  private Decoders() {}

  /** Returns the decoder of a string that knows its places. */
  public static Decoder<LocatedText> located() {
    return Decoder.of(new Shape.Text("", List.of()), (node, problems) -> isText(node) ? Optional.of((Node.Scalar) node)
        : wrong(node, problems, "a string", quotes(node)));
  }

  private static boolean isText(Node node) {
    return node instanceof Node.Scalar s && s.meaning() == Node.Meaning.TEXT || EnvironmentText.is(node);
  }

  /** Returns the hint that quotes make the value a string, if they do. */
  private static String quotes(Node node) {
    return node instanceof Node.Scalar s && s.meaning() != Node.Meaning.NULL ? "put it in quotes" : "";
  }

  public static Decoder<String> text() {
    return located().then((text, _, _) -> Optional.of(text.text()));
  }

  public static Decoder<String> nonEmpty() {
    Decoder<String> text = text();
    return Decoder.of(new Shape.Pattern("a string", "", "\\S"),
        (node, problems) -> text.decode(node, problems).filter(t -> {
          if (t.isBlank()) {
            problems.error(node.at(), node.path(), "must not be empty", "");
          }
          return !t.isBlank();
        }));
  }

  /** Returns the decoder of the path of a file. */
  public static Decoder<LocatedText> file() {
    return nonEmpty().then((_, node, _) -> Optional.of((LocatedText) node));
  }

  /** Returns the decoder of a string that messages must not show. */
  public static Decoder<String> secret() {
    return Decoder.of(new Shape.Text("", List.of()), (node, problems) -> {
      if (isText(node)) {
        return Optional.of(((Node.Scalar) node).text());
      }
      return UnsetVariable.of(node).isPresent() ? wrong(node, problems, "a string", "")
          : hidden(node, problems);
    });
  }

  private static Optional<String> hidden(Node node, Problems problems) {
    problems.error(node.at(), node.path(), "this is " + node.kind() + ", a string is needed", quotes(node));
    return Optional.empty();
  }

  /** Returns a decoder that accepts any node. */
  public static Decoder<Node> node() {
    return Decoder.of(new Shape.Anything(), (node, _) -> Optional.of(node));
  }

  /** Returns a decoder of any scalar except null, as it is written. */
  public static Decoder<String> anyScalar() {
    return Decoder.of(new Shape.Single(),
        (node, problems) -> node instanceof Node.Scalar s && s.meaning() != Node.Meaning.NULL ? Optional.of(s.text())
            : wrong(node, problems, "a single value", ""));
  }

  public static Decoder<Boolean> flag() {
    return Decoder.of(new Shape.Flag(), (node, problems) -> {
      Optional<Boolean> value = switch (node) {
        case Node.Scalar s when s.meaning() == Node.Meaning.BOOL -> Optional.of(s.text().equalsIgnoreCase("true"));
        case Node.Scalar s when EnvironmentText.is(s) -> Scalars.flag(s.text());
        default -> Optional.empty();
      };
      return value.isPresent() ? value : wrong(node, problems, "`true` or `false`", truth(node));
    });
  }

  /** Returns the boolean that other formats and older YAML write as this word, for a hint. */
  private static String truth(Node node) {
    return !(node instanceof Node.Scalar s) || s.meaning() == Node.Meaning.NULL ? ""
        : switch (s.text().toLowerCase(Locale.ROOT)) {
          case "true", "false" -> "without quotes";
          case "yes", "on", "y", "1" -> "write `true`";
          case "no", "off", "n", "0" -> "write `false`";
          default -> "";
        };
  }

  public static Decoder<Long> whole(long least, long most) {
    return Decoder.of(new Shape.Whole(least, most), (node, problems) -> {
      boolean integer = node instanceof Node.Scalar s && (s.meaning() == Node.Meaning.INT || EnvironmentText.is(s));
      Optional<Long> value = integer ? Scalars.integer(((Node.Scalar) node).text()) : Optional.empty();
      if (value.isEmpty()) {
        return wrong(node, problems, "a whole number", bare(node));
      }
      if (value.get() < least || value.get() > most) {
        String right = most == Long.MAX_VALUE ? least + " or more is right" : least + " to " + most + " is right";
        problems.error(node.at(), node.path(), quoted(node) + " is out of range", right);
        return Optional.empty();
      }
      return value;
    });
  }

  private static String bare(Node node) {
    boolean quoted = node instanceof Node.Scalar s && s.meaning() == Node.Meaning.TEXT
        && Scalars.integer(s.text()).isPresent();
    return quoted ? "without quotes" : "";
  }

  public static Decoder<Integer> number(int least, int most) {
    return whole(least, most).then((value, _, _) -> Optional.of(Math.toIntExact(value)));
  }

  /**
   * Returns a decoder of durations in Go's notation: {@code 1h30m}, {@code 500ms}, {@code 1.5s}; not negative. A number
   * without a unit is a number of nanoseconds and causes a warning, except in definitions of mechanisms: heimdall
   * accepts it in the same places.
   */
  public static Decoder<Duration> duration() {
    Shape.Pattern shape = new Shape.Pattern("a duration", "as `500ms`, `5s`, `1h30m`", Durations.PATTERN);
    return scalar(shape, (node, text) -> Durations.parse(text).or(() -> nanoseconds(node)))
        .then((time, node, problems) -> {
          if (nanoseconds(node).isPresent()) {
            problems.warning(node.at(), node.path(), quoted(node) + " has no unit and counts as nanoseconds",
                "write it " + shape.example());
          }
          return Optional.of(time);
        });
  }

  /** Returns the value of a bare number where one may stand for a duration; 0 has the same meaning in any unit. */
  private static Optional<Duration> nanoseconds(Node node) {
    boolean bare = node instanceof Node.Scalar s && s.meaning() == Node.Meaning.INT && !EnvironmentText.is(s)
        && !s.path().startsWith("mechanisms.");
    return bare ? Scalars.integer(((Node.Scalar) node).text()).filter(n -> n > 0).map(Duration::ofNanos)
        : Optional.empty();
  }

  /** Returns a decoder of durations that are one whole number and its unit, the only form outside of mechanisms. */
  public static Decoder<Duration> plainDuration() {
    return scalar(
        new Shape.Pattern("a whole number with a unit of time", "as `500ms`, `5s`, `2m`, `1h`",
            Durations.PLAIN_PATTERN),
        (node, text) -> EnvironmentText.is(node) || Durations.isPlain(text) ? Durations.parse(text) : Optional.empty());
  }

  /** Returns the decoder of a number of bytes, as {@code 4KB}; KB are 1024 bytes. */
  public static Decoder<Long> byteSize() {
    return byteSize("as `512B`, `4KB`, `128MB`, `1GB`");
  }

  /** The same. @param example sizes that are in its range */
  public static Decoder<Long> byteSize(String example) {
    return scalar(new Shape.Pattern("a size", example, Durations.BYTES_PATTERN), (_, text) -> Durations.bytes(text));
  }

  private static <T> Decoder<T> scalar(Shape.Pattern shape, Reading<T> reading) {
    return Decoder.of(shape, (node, problems) -> {
      if (!(node instanceof Node.Scalar s) || s.meaning() == Node.Meaning.NULL) {
        return wrong(node, problems, shape.what(), "write it " + shape.example());
      }
      Optional<T> value = reading.of(node, s.text());
      if (value.isEmpty()) {
        problems.error(node.at(), node.path(), quoted(node) + " is not " + shape.what(), "write it " + shape.example());
      }
      return value;
    });
  }

  /** Returns the decoder of one of these strings. */
  public static <T> Decoder<T> choice(SequencedMap<String, T> choices) {
    List<String> names = List.copyOf(choices.keySet());
    return Decoder.of(new Shape.Text("", names), (node, problems) -> {
      if (!(node instanceof Node.Scalar s) || s.meaning() == Node.Meaning.NULL) {
        return wrong(node, problems, "one of " + String.join(", ", names), "");
      }
      if (!choices.containsKey(s.text())) {
        problems.error(node.at(), node.path(),
            s.text().isBlank() ? "must not be empty" : quoted(node) + " is not known here",
            choices(s.text(), names));
      }
      return Optional.ofNullable(choices.get(s.text()));
    });
  }

  private static String choices(String text, List<String> names) {
    return Nearest.of(text, names).map(n -> "did you mean `" + n + "`?")
        .orElse("right is one of: " + String.join(", ", names));
  }

  public static Decoder<String> oneOf(String... choices) {
    SequencedMap<String, String> map = new LinkedHashMap<>();
    Arrays.stream(choices).forEach(c -> map.put(c, c));
    return choice(map);
  }

  public static <T> Decoder<List<T>> list(Decoder<T> item) {
    return list(item, 0);
  }

  /** Returns the decoder of a list with a minimum number of items. */
  public static <T> Decoder<List<T>> list(Decoder<T> item, int least) {
    return some(item, least).then((some, _, _) -> some.all() ? Optional.of(some.items()) : Optional.empty());
  }

  /** Returns the decoder of a list that keeps the valid items if others are invalid. */
  public static <T> Decoder<PartialList<T>> some(Decoder<T> item, int least) {
    return Decoder.of(new Shape.Items(item.shape(), least), (node, problems) -> {
      Node whole = EnvironmentText.is(node) ? EnvironmentText.split((Node.Scalar) node) : node;
      if (!(whole instanceof Node.Sequence s)) {
        String hint = node instanceof Node.Mapping ? "each item begins with `- `" : "as `[" + example(node) + "]`";
        return wrong(node, problems, "a list", hint);
      }
      if (s.items().size() < least) {
        problems.error(node.at(), node.path(), "must contain at least " + least + (least == 1 ? " item" : " items"),
            "each " + ShapeDescription.kind(item.shape()));
        return Optional.empty();
      }
      List<T> out = new ArrayList<>(s.items().size());
      s.items().forEach(n -> item.decode(n, problems).ifPresent(out::add));
      return Optional.of(new PartialList<>(out, out.size() == s.items().size()));
    });
  }

  private static String example(Node node) {
    String text = node instanceof Node.Scalar s ? shown(s) : "";
    return text.isEmpty() || text.length() > 60 ? "…" : text;
  }

  /** Returns the decoder of a mapping whose names are free. */
  public static <T> Decoder<SequencedMap<String, T>> map(Decoder<T> value) {
    return Decoder.of(new Shape.Named(value.shape()), (node, problems) -> {
      if (!(node instanceof Node.Mapping m)) {
        return wrong(node, problems, "a mapping", "as `name: value`");
      }
      SequencedMap<String, T> out = new LinkedHashMap<>();
      m.members().forEach((name, member) -> value.decode(member.value(), problems).ifPresent(v -> out.put(name, v)));
      return out.size() == m.members().size() ? Optional.of(out) : Optional.empty();
    });
  }

  /** Returns the decoder of a mapping with these members; others are errors. */
  public static <T> Decoder<T> object(String title, List<Key<?>> keys, Function<DecodedMembers, T> make) {
    return checked(title, keys, (parts, _) -> Optional.of(make.apply(parts)));
  }

  /**
   * Returns a decoder of a mapping whose members are checked together; {@code make} returns an empty optional exactly
   * if it added a problem.
   */
  public static <T> Decoder<T> checked(String title, List<Key<?>> keys, Make<T> make) {
    return new MembersDecoder<>(new Shape.Members(title, keys), make, false, _ -> false);
  }

  /**
   * Returns a decoder that also gives a result if some members are unknown or invalid, which is reported all the same,
   * so that errors in the rest are found too.
   */
  public static <T> Decoder<T> partial(String title, List<Key<?>> keys, Make<T> make) {
    return new MembersDecoder<>(new Shape.Members(title, keys), make, true, _ -> false);
  }

  /** Returns a decoder that warns that some unknown members have no effect, instead of rejecting them. */
  public static <T> Decoder<T> tolerant(String title, List<Key<?>> keys, Predicate<String> harmless, Make<T> make) {
    return new MembersDecoder<>(new Shape.Members(title, keys), make, true, harmless);
  }

  /** Reports a node that is of another kind than needed. */
  public static <T> Optional<T> wrong(Node node, Problems problems, String wanted, String hint) {
    Optional<SubstitutedSource.Unset> unset = UnsetVariable.of(node);
    if (unset.isPresent()) {
      problems.error(unset.get().at(), node.path(), UnsetVariable.message(unset.get()),
          UnsetVariable.needed(unset.get()));
      return Optional.empty();
    }
    String got = node instanceof Node.Scalar s && !s.text().isEmpty() ? quoted(node) + " is " + s.kind()
        : "this is " + node.kind();
    problems.error(node.at(), node.path(), got + ", " + wanted + " is needed", hint);
    return Optional.empty();
  }

  private static String quoted(Node node) {
    return "`" + (node instanceof Node.Scalar s ? shown(s) : "") + "`";
  }

  /** Returns a value for a message: what variables stood for in the file is not shown, it may be secret. */
  private static String shown(Node.Scalar scalar) {
    return shortened(scalar.located() instanceof ScalarText text ? text.shown() : scalar.text());
  }

  /** Returns a character for a message: by its number where it would not be seen. */
  static String shownCharacter(int c) {
    int type = Character.getType(c);
    boolean visible = c > ' ' && !Character.isISOControl(c) && !Character.isWhitespace(c) && type != Character.SURROGATE
        && type != Character.FORMAT;
    return visible ? "`" + Character.toString(c) + "`"
        : c == ' ' ? "a blank" : String.format("the character U+%04X", c);
  }

  /** Returns the user's words for a message, in one line. */
  public static String shortened(String text) {
    String line = text.lines().findFirst().orElse("").strip();
    return line.length() > 60 ? line.substring(0, 57) + "…" : line.length() < text.strip().length() ? line + "…" : line;
  }

  /** Creates a value from decoded members. */
  public interface Make<T> {
    Optional<T> of(DecodedMembers parts, Problems problems);
  }

  /** Reads a single value. */
  private interface Reading<T> {
    Optional<T> of(Node node, String text);
  }
}
