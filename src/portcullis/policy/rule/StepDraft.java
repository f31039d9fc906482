package portcullis.policy.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.config.PartialList;
import portcullis.config.Shape;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Nearest;

/**
 * A step as it is written.
 *
 * @param kind the key that names its mechanism, as {@code authorizer}
 * @param mechanism the id of the definition; empty where it cannot be read
 * @param id a name of its own, if it has one
 */
record StepDraft(String kind, Optional<LocatedText> mechanism, Optional<String> id, Optional<Node> config,
    Optional<LocatedText> condition, Node.Mapping node) {
  static final List<String> EXECUTE = List.of("authenticator", "authorizer", "contextualizer", "finalizer");
  static final List<String> ON_ERROR = List.of("error_handler");

  private static final List<String> KNOWN = Stream.of(EXECUTE, ON_ERROR, List.of("id", "config", "if"))
      .flatMap(List::stream).toList();
  private static final Key<Optional<String>> ID = Key.optional("id", Decoders.anyScalar(), "a name for the step");
  private static final Key<Optional<Node>> CONFIG = Key.optional("config", Decoders.node(), "settings of its own");
  private static final Key<Optional<LocatedText>> IF = Key.optional("if", Decoders.located(), "when it is taken")
      .restricting();

  /** A list of steps of these kinds. */
  static Decoder<PartialList<StepDraft>> list(List<String> kinds, int least) {
    return Decoders.some(decoder(kinds), least);
  }

  private static Decoder<StepDraft> decoder(List<String> kinds) {
    List<Key<Optional<LocatedText>>> named = kinds.stream()
        .map(kind -> Key.optional(kind, Decoders.located(), "the id of the " + kind.replace('_', ' '))
            .restricting())
        .toList();
    List<Key<?>> keys = new ArrayList<>(named);
    keys.addAll(List.of(ID, CONFIG, IF));
    return steps(named, keys).described(new Shape.Either(kinds.stream().map(StepDraft::shape).toList()));
  }

  private static Shape shape(String kind) {
    return new Shape.Members("a step",
        List.of(Key.required(kind, Decoders.located(), "the id of the " + kind.replace('_', ' ')),
            ID, CONFIG, IF));
  }

  private static Decoder<StepDraft> steps(List<Key<Optional<LocatedText>>> named, List<Key<?>> keys) {
    return Decoders.tolerant("a step", keys, StepDraft::isHarmless, (parts, problems) -> {
      List<Key<Optional<LocatedText>>> present = named.stream().filter(parts::has).toList();
      if (present.isEmpty() && !parts.known()) {
        return Optional.empty(); // the unknown name may have been meant to say it
      }
      if (present.size() != 1) {
        problems.error(parts.node().at(), parts.node().path(), present.isEmpty() ? "a step names a mechanism"
            : "a step names one mechanism only, this one " + present.size(),
            "one of: " + String.join(", ", named.stream().map(Key::name).toList()));
        return Optional.empty();
      }
      return Optional.of(new StepDraft(present.getFirst().name(), parts.or(present.getFirst(), Optional.empty()),
          parts.or(ID, Optional.empty()), parts.or(CONFIG, Optional.empty()), parts.or(IF, Optional.empty()),
          parts.node()));
    });
  }

  /**
   * Whether a key means nothing: heimdall takes any, but one that is much like a known one was meant to say something.
   */
  private static boolean isHarmless(String key) {
    return Nearest.of(key, KNOWN).isEmpty();
  }

  /** What its output and its failures are known by. */
  String name() {
    return id.or(() -> mechanism.map(LocatedText::text)).orElse("");
  }
}
