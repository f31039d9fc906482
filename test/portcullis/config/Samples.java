package portcullis.config;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/** A decoder in which every shape occurs. */
final class Samples {
  private Samples() {}

  static Decoder<DecodedMembers> thing() {
    Decoder<DecodedMembers> inner = Decoders.object("an inner thing", List.of(
        Key.required("path", Decoders.nonEmpty(), "where it is"),
        Key.withDefault("size", Decoders.byteSize(), 4L << 10, "how large it is")), p -> p);
    Decoder<Optional<DecodedMembers>> either = Decoder.of(
        new Shape.Either(List.of(new Shape.Text("a URL", List.of()), inner.shape())),
        (node, problems) -> node instanceof Node.Scalar s && s.meaning() == Node.Meaning.TEXT
            ? Optional.of(Optional.empty())
            : inner.decode(node, problems).map(Optional::of));
    return Decoders.object("a thing", List.of(
        Key.required("name", Decoders.text(), "the name"),
        Key.withDefault("count", Decoders.number(1, 9), 3, "how many there are"),
        Key.withDefault("most", Decoders.whole(0, Long.MAX_VALUE), 0L, ""),
        Key.withDefault("time", Decoders.duration(), Duration.ofMinutes(90), "how long it takes"),
        Key.withDefault("wait", Decoders.plainDuration(), Duration.ZERO, "how long it waits"),
        Key.withDefault("on", Decoders.flag(), true, "whether it is on"),
        Key.withDefault("color", Decoders.oneOf("red", "blue"), "red", "the colour"),
        Key.withDefault("tags", Decoders.list(Decoders.text()), List.of("a", "b"), "what it is known by"),
        Key.optional("inner", inner, "what is in it"),
        Key.optional("inners", Decoders.list(inner, 1), "more that is in it"),
        Key.optional("names", Decoders.map(Decoders.number(0, 5)), "numbers by name"),
        Key.optional("either", either, "one way or another"),
        Key.optional("typed", typed(), "settings of a type"),
        Key.optional("any", Decoders.node(), "whatever it is"),
        Key.optional("version", Decoders.anyScalar(), "")), p -> p);
  }

  private static Decoder<Node> typed() {
    SequencedMap<String, Decoder<DecodedMembers>> types = new LinkedHashMap<>();
    types.put("none", Decoders.object("", List.of(), p -> p));
    types.put("file", Decoders.object("", List.of(Key.required("src", Decoders.text(), "the file")), p -> p));
    Key<String> type = Key.required("type", Decoders.oneOf("none", "file"), "the type");
    Key<Optional<Node>> config = Key.optional("config", Decoders.node(), "");
    SequencedMap<String, Shape> options = new LinkedHashMap<>();
    types.forEach((name, decoder) -> options.put(name, new Shape.Members("", List.of(
        new Key<>("config", decoder, name.equals("file"), Optional.empty(), false, "settings")))));
    return Decoder.of(new Shape.Choice("type", options),
        (node, problems) -> Decoders.object("", List.of(type, config), p -> p).decode(node, problems)
            .flatMap(p -> p.get(config).isEmpty()
                ? Optional.of(node).filter(_ -> p.get(type).equals("none"))
                : types.get(p.get(type)).decode(p.get(config).get(), problems)
                    .map(_ -> node)));
  }
}
