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
import portcullis.policy.mechanism.Subject;
import portcullis.policy.pipeline.RuleSetVersion;

/**
 * A step as it is written.
 *
 * @param kind the key that names its mechanism, as {@code authorizer}
 * @param mechanism the id of the definition; empty where it cannot be read
 * @param id a name of its own, if it has one
 * @param principal which one an authenticator determines
 */
record StepDraft(String kind, Optional<LocatedText> mechanism, Optional<String> id, Optional<Node> config,
    Optional<LocatedText> condition, String principal, Node.Mapping node) {
  static final String AUTHENTICATOR = "authenticator";
  static final List<String> EXECUTE = List.of(AUTHENTICATOR, "authorizer", "contextualizer", "finalizer");
  static final List<String> ON_ERROR = List.of("error_handler");

  private static final List<String> KNOWN = Stream.of(EXECUTE, ON_ERROR, List.of("id", "config", "if"))
      .flatMap(List::stream).toList();
  private static final Key<Optional<String>> ID = Key.optional("id", Decoders.anyScalar(), "a name for the step");
  private static final Key<Optional<Node>> CONFIG = Key.optional("config", Decoders.node(),
      "settings that override those of the mechanism");
  private static final Key<Optional<LocatedText>> IF = Key
      .optional("if", Decoders.located(), "a CEL expression; the step runs only if it is true")
      .restricting();

  private static final Key<Optional<String>> PRINCIPAL = Key.optional("principal", Decoders.anyScalar(),
      "the name of the principal that the authenticator determines, `default` by default");

  /** Returns a list of steps of these kinds. */
  static Decoder<PartialList<StepDraft>> list(List<String> kinds, int least, RuleSetVersion version) {
    return Decoders.some(decoder(kinds, version), least);
  }

  private static List<Key<?>> common(String kind, RuleSetVersion version) {
    return kind.equals(AUTHENTICATOR) && version == RuleSetVersion.BETA1 ? List.of(ID, CONFIG, IF, PRINCIPAL)
        : List.of(ID, CONFIG, IF);
  }

  private static Decoder<StepDraft> decoder(List<String> kinds, RuleSetVersion version) {
    List<Key<Optional<LocatedText>>> named = kinds.stream()
        .map(kind -> Key.optional(kind, Decoders.located(), "the id of the " + kind.replace('_', ' '))
            .restricting())
        .toList();
    List<Key<?>> keys = new ArrayList<>(named);
    keys.addAll(version == RuleSetVersion.BETA1 ? List.of(ID, CONFIG, IF, PRINCIPAL) : List.of(ID, CONFIG, IF));
    return steps(named, keys, version)
        .described(new Shape.Either(kinds.stream().map(kind -> shape(kind, version)).toList()));
  }

  private static Shape shape(String kind, RuleSetVersion version) {
    List<Key<?>> keys = new ArrayList<>(
        List.of(Key.required(kind, Decoders.located(), "the id of the " + kind.replace('_', ' '))));
    keys.addAll(common(kind, version));
    return new Shape.Members("a step", keys);
  }

  private static Decoder<StepDraft> steps(List<Key<Optional<LocatedText>>> named, List<Key<?>> keys,
      RuleSetVersion version) {
    boolean tolerant = version == RuleSetVersion.ALPHA4;
    return Decoders.tolerant("a step", keys, key -> tolerant && isHarmless(key), (parts, problems) -> {
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
      String kind = present.getFirst().name();
      boolean isNamed = keys.contains(PRINCIPAL) && parts.has(PRINCIPAL);
      if (isNamed && !kind.equals(AUTHENTICATOR)) {
        problems.warning(parts.at(PRINCIPAL), parts.node().path(), "`principal` has no effect here",
            "only authenticators determine principals");
      }
      String principal = isNamed ? parts.or(PRINCIPAL, Optional.empty()).filter(name -> !name.isEmpty())
          .orElse(Subject.DEFAULT) : Subject.DEFAULT;
      return Optional.of(new StepDraft(kind, parts.or(present.getFirst(), Optional.empty()),
          parts.or(ID, Optional.empty()), parts.or(CONFIG, Optional.empty()), parts.or(IF, Optional.empty()),
          principal, parts.node()));
    });
  }

  /**
   * Returns whether an unknown key is ignored, as heimdall does; one that resembles a known key is probably mistyped.
   */
  private static boolean isHarmless(String key) {
    return Nearest.of(key, KNOWN).isEmpty();
  }

  /** Returns what its output and its failures are known by. */
  String name() {
    return id.or(() -> mechanism.map(LocatedText::text)).orElse("");
  }
}
