package portcullis.policy.rule;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.UnaryOperator;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.config.Shape;
import portcullis.http.message.Reading;

/**
 * Which other readings of a request count: what a rule allows is refused where another rule would decide under one of
 * these. Immutable.
 *
 * @param guarded the bits of the readings that upstreams may take
 * @param backslashes whether paths with encoded backslashes may pass at all
 */
public record ReadingPolicy(int guarded, boolean backslashes) {
  /** Path parameters, trailing dots and the port; of encoded slashes, where a rule leaves them encoded. */
  public static final ReadingPolicy DEFAULT = new ReadingPolicy(
      bits(EnumSet.of(Reading.PARAMETERS, Reading.SEMICOLONS, Reading.TRAILING_DOT,
          Reading.PORT, Reading.SLASHES)),
      false);
  private static final ReadingPolicy ALL = new ReadingPolicy(
      bits(EnumSet.complementOf(EnumSet.of(Reading.BACKSLASHES))), false);
  private static final ReadingPolicy NONE = new ReadingPolicy(0, true);

  /** A part of the section that says how one kind of reading is treated. */
  private interface Change extends UnaryOperator<ReadingPolicy> {}

  private static int bits(Set<Reading> readings) {
    return readings.stream().mapToInt(Reading::bit).sum();
  }

  private ReadingPolicy with(boolean guard, Reading... kinds) {
    return with(guard, bits(Set.of(kinds)));
  }

  private ReadingPolicy with(boolean guard, int bits) {
    return new ReadingPolicy(guard ? guarded | bits : guarded & ~bits, backslashes);
  }

  private ReadingPolicy letting(boolean pass) {
    return new ReadingPolicy(guarded, pass);
  }

  public boolean guards(Reading reading) {
    return (guarded & reading.bit()) != 0;
  }

  /**
   * Reads {@code readings}, of which kinds that are not named stay as they were: {@code ( "exact" / "guard" / a mapping
   * of kinds )}.
   */
  public static Decoder<UnaryOperator<ReadingPolicy>> decoder() {
    Decoder<Change> whole = Decoders.choice(choices("guard", _ -> ALL, "exact", _ -> NONE));
    Decoder<UnaryOperator<ReadingPolicy>> kinds = kinds();
    return Decoder.of(new Shape.Either(List.of(whole.shape(), kinds.shape())),
        (node, problems) -> node instanceof Node.Mapping
            ? kinds.decode(node, problems)
            : whole.decode(node, problems).map(change -> change));
  }

  private static Decoder<UnaryOperator<ReadingPolicy>> kinds() {
    Key<Optional<Change>> parameters = kind("parameters", "`/admin;x=1` as `/admin`", Reading.PARAMETERS,
        Reading.SEMICOLONS);
    Key<Optional<Change>> letters = kind("case", "`/ADMIN` as `/admin`", Reading.CASE);
    Key<Optional<Change>> port = kind("port", "`Host: app.example:8080` as `app.example`", Reading.PORT);
    Key<Optional<Change>> slashes = kind("slashes", "`%2F` that a rule leaves encoded as `/`", Reading.SLASHES);
    SequencedMap<String, Change> ends = choices("guard",
        p -> p.with(true, Reading.TRAILING_DOT, Reading.TRAILING_SLASH),
        "exact", p -> p.with(false, Reading.TRAILING_DOT, Reading.TRAILING_SLASH));
    ends.put("dot", p -> p.with(true, Reading.TRAILING_DOT).with(false, Reading.TRAILING_SLASH));
    Key<Optional<Change>> trailing = Key.optional("trailing", Decoders.choice(ends), "`/admin.` and, by `guard`, "
        + "`/admin/` as `/admin`");
    SequencedMap<String, Change> backs = choices("guard", p -> p.with(true, Reading.BACKSLASHES).letting(true),
        "exact", p -> p.with(false, Reading.BACKSLASHES).letting(true));
    backs.put("refuse", p -> p.with(false, Reading.BACKSLASHES).letting(false));
    Key<Optional<Change>> backslash = Key.optional("backslash", Decoders.choice(backs), "`%5C`, which is refused by "
        + "default, as `/`");
    List<Key<Optional<Change>>> all = List.of(parameters, letters, port, trailing, slashes, backslash);
    return Decoders.object("readings", List.copyOf(all), parts -> policy -> {
      ReadingPolicy out = policy;
      for (Key<Optional<Change>> key : all) {
        Optional<Change> change = parts.get(key);
        out = change.isPresent() ? change.get().apply(out) : out;
      }
      return out;
    });
  }

  private static Key<Optional<Change>> kind(String name, String doc, Reading... readings) {
    int bits = bits(Set.of(readings));
    return Key.optional(name,
        Decoders.choice(choices("guard", p -> p.with(true, bits), "exact", p -> p.with(false, bits))), doc);
  }

  private static SequencedMap<String, Change> choices(String one, Change first, String two, Change second) {
    SequencedMap<String, Change> out = new LinkedHashMap<>();
    out.put(one, first);
    out.put(two, second);
    return out;
  }
}
