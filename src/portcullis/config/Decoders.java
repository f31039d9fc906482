package portcullis.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Function;
import portcullis.source.LocatedText;
import portcullis.source.Nearest;
import portcullis.source.Problems;

/** The decoders that others are made of. */
public final class Decoders {
  private Decoders() {}

  /** A text that knows its places. */
  public static Decoder<LocatedText> located() {
    return Decoder.of(new Shape.Text("", List.of()), (node, problems) -> {
      if (node instanceof Node.Scalar s && s.meaning() == Node.Meaning.TEXT) {
        return Optional.of(s);
      }
      boolean quotable = node instanceof Node.Scalar s && s.meaning() != Node.Meaning.NULL;
      return wrong(node, problems, "a text", quotable ? "put it in quotes" : "");
    });
  }

  public static Decoder<String> text() {
    return located().then((text, _, _) -> Optional.of(text.text()));
  }

  public static Decoder<String> nonEmpty() {
    return text().then((text, node, problems) -> {
      if (text.isBlank()) {
        problems.error(node.at(), node.path(), "must not be empty", "");
        return Optional.empty();
      }
      return Optional.of(text);
    });
  }

  /** Whatever is there. */
  public static Decoder<Node> node() {
    return Decoder.of(new Shape.Anything(), (node, _) -> Optional.of(node));
  }

  /** Any scalar but nothing, as it is written. */
  public static Decoder<String> anyScalar() {
    return Decoder.of(new Shape.Text("", List.of()), (node, problems) ->
        node instanceof Node.Scalar s && s.meaning() != Node.Meaning.NULL ? Optional.of(s.text())
            : wrong(node, problems, "a single value", ""));
  }

  public static Decoder<Boolean> flag() {
    return Decoder.of(new Shape.Flag(), (node, problems) ->
        node instanceof Node.Scalar s && s.meaning() == Node.Meaning.BOOL ? Optional.of(s.text().equalsIgnoreCase("true"))
            : wrong(node, problems, "`true` or `false`", ""));
  }

  public static Decoder<Long> whole(long least, long most) {
    return Decoder.of(new Shape.Whole(least, most), (node, problems) -> {
      if (!(node instanceof Node.Scalar s) || s.meaning() != Node.Meaning.INT) {
        return wrong(node, problems, "a whole number", "");
      }
      long value = Scalars.integer(s.text()).orElseThrow();
      if (value < least || value > most) {
        problems.error(node.at(), node.path(), "`" + s.text() + "` is out of range", least + " to " + most + " is right");
        return Optional.empty();
      }
      return Optional.of(value);
    });
  }

  public static Decoder<Integer> number(int least, int most) {
    return whole(least, most).then((value, _, _) -> Optional.of(Math.toIntExact(value)));
  }

  /** A duration as Go writes it: {@code 1h30m}, {@code 500ms}; not negative. */
  public static Decoder<Duration> duration() {
    return scalar("a duration", "as `500ms`, `5s`, `1h30m`", Durations::parse);
  }

  /** A number of bytes: {@code 4KB}; KB are 1024 bytes. */
  public static Decoder<Long> byteSize() {
    return scalar("a size", "as `512B`, `4KB`, `128MB`, `1GB`", Durations::bytes);
  }

  private static <T> Decoder<T> scalar(String what, String example, Function<String, Optional<T>> parse) {
    return Decoder.of(new Shape.Text(what + ", " + example, List.of()), (node, problems) -> {
      if (!(node instanceof Node.Scalar s) || s.meaning() == Node.Meaning.NULL) {
        return wrong(node, problems, what, example);
      }
      Optional<T> value = parse.apply(s.text());
      if (value.isEmpty()) {
        problems.error(node.at(), node.path(), "`" + shortened(s.text()) + "` is not " + what, example);
      }
      return value;
    });
  }

  /** One of these texts. */
  public static <T> Decoder<T> choice(SequencedMap<String, T> choices) {
    List<String> names = List.copyOf(choices.keySet());
    return Decoder.of(new Shape.Text("", names), (node, problems) -> {
      if (node instanceof Node.Scalar s && choices.containsKey(s.text())) {
        return Optional.of(choices.get(s.text()));
      }
      if (node instanceof Node.Scalar s) {
        problems.error(node.at(), node.path(), "`" + shortened(s.text()) + "` is not known here", choices(s.text(), names));
        return Optional.empty();
      }
      return wrong(node, problems, "one of " + String.join(", ", names), "");
    });
  }

  private static String choices(String text, List<String> names) {
    return Nearest.of(text, names).map(n -> "did you mean `" + n + "`?").orElse("right is one of: " + String.join(", ", names));
  }

  public static Decoder<String> oneOf(String... choices) {
    SequencedMap<String, String> map = new LinkedHashMap<>();
    Arrays.stream(choices).forEach(c -> map.put(c, c));
    return choice(map);
  }

  public static <T> Decoder<List<T>> list(Decoder<T> item) {
    return list(item, 0);
  }

  /** A list of at least so many. */
  public static <T> Decoder<List<T>> list(Decoder<T> item, int least) {
    return Decoder.of(new Shape.Items(item.shape(), least), (node, problems) -> {
      if (!(node instanceof Node.Sequence s)) {
        return wrong(node, problems, "a list", "");
      }
      if (s.items().size() < least) {
        problems.error(node.at(), node.path(), "must contain at least " + least + (least == 1 ? " item" : " items"), "");
        return Optional.empty();
      }
      List<T> out = new ArrayList<>(s.items().size());
      s.items().forEach(n -> item.decode(n, problems).ifPresent(out::add));
      return out.size() == s.items().size() ? Optional.of(List.copyOf(out)) : Optional.empty();
    });
  }

  /** A mapping of free names. */
  public static <T> Decoder<SequencedMap<String, T>> map(Decoder<T> value) {
    return Decoder.of(new Shape.Named(value.shape()), (node, problems) -> {
      if (!(node instanceof Node.Mapping m)) {
        return wrong(node, problems, "a mapping", "");
      }
      SequencedMap<String, T> out = new LinkedHashMap<>();
      m.members().forEach((name, member) -> value.decode(member.value(), problems).ifPresent(v -> out.put(name, v)));
      return out.size() == m.members().size() ? Optional.of(out) : Optional.empty();
    });
  }

  /** A mapping of these members; others are problems. */
  public static <T> Decoder<T> object(String title, List<Key<?>> keys, Function<Parts, T> make) {
    return checked(title, keys, (parts, _) -> Optional.of(make.apply(parts)));
  }

  /** The same, where more has to be checked; {@code make} gives nothing exactly if it added a problem. */
  public static <T> Decoder<T> checked(String title, List<Key<?>> keys, Make<T> make) {
    return Decoder.of(new Shape.Members(title, keys), (node, problems) -> {
      if (!(node instanceof Node.Mapping mapping)) {
        return wrong(node, problems, title.isEmpty() ? "a mapping" : title + ", a mapping", "with: " + names(keys));
      }
      Map<Key<?>, Object> values = new IdentityHashMap<>();
      boolean good = known(mapping, keys, problems);
      for (Key<?> key : keys) {
        good &= member(mapping, key, values, problems);
      }
      return good ? make.of(new Parts(mapping, values), problems) : Optional.empty();
    });
  }

  private static String names(List<Key<?>> keys) {
    return String.join(", ", keys.stream().map(Key::name).toList());
  }

  private static boolean known(Node.Mapping mapping, List<Key<?>> keys, Problems problems) {
    List<String> names = keys.stream().map(Key::name).toList();
    boolean good = true;
    for (Map.Entry<String, Node.Member> member : mapping.members().entrySet()) {
      if (!names.contains(member.getKey())) {
        problems.error(member.getValue().nameAt(), mapping.path(), "unknown key `" + shortened(member.getKey()) + "`",
            names.isEmpty() ? "nothing can be set here" : Nearest.hint(member.getKey(), names));
        good = false;
      }
    }
    return good;
  }

  private static <T> boolean member(Node.Mapping mapping, Key<T> key, Map<Key<?>, Object> values, Problems problems) {
    Optional<Node> written = mapping.get(key.name());
    if (written.isEmpty() && key.required()) {
      problems.error(mapping.at(), mapping.path(), "`" + key.name() + "` is missing", "");
      return false;
    }
    Optional<T> value = written.isEmpty() ? key.absent() : key.decoder().decode(written.get(), problems);
    value.ifPresent(v -> values.put(key, v));
    return value.isPresent();
  }

  /** A node that is of another kind than needed. */
  public static <T> Optional<T> wrong(Node node, Problems problems, String wanted, String hint) {
    String got = node instanceof Node.Scalar s && !s.text().isEmpty() ? "`" + shortened(s.text()) + "` is " + s.kind()
        : "this is " + node.kind();
    problems.error(node.at(), node.path(), got + ", " + wanted + " is needed", hint);
    return Optional.empty();
  }

  /** The user's words for a message, in one line. */
  public static String shortened(String text) {
    String line = text.lines().findFirst().orElse("").strip();
    return line.length() > 60 ? line.substring(0, 57) + "…" : line.length() < text.strip().length() ? line + "…" : line;
  }

  /** What makes a record of decoded members. */
  public interface Make<T> {
    Optional<T> of(Parts parts, Problems problems);
  }
}
