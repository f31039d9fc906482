package portcullis.policy.catalogue;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.config.Parts;
import portcullis.config.Shape;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.policy.errorhandler.DefaultHandler;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.Tools;

/** The mechanisms that a configuration defines; immutable. */
public record Catalogue(Shelf<Mechanism.Authenticator> authenticators, Shelf<Mechanism.Authorizer> authorizers,
    Shelf<Mechanism.Contextualizer> contextualizers, Shelf<Mechanism.Finalizer> finalizers,
    Shelf<Mechanism.ErrorHandler> errorHandlers, Tools tools) {
  /** All kinds with their types, whatever a configuration defines of them. */
  public static final List<Kind<?>> KINDS = Types.ALL;

  private static final List<Key<?>> KEYS = List.copyOf(KINDS.stream()
      .map(kind -> Key.optional(kind.key(), Decoders.node().described(kind.shape()), "the " + kind.name() + "s"))
      .toList());

  private static final Definition<MechanismType.Unset, Mechanism.ErrorHandler> DEFAULT = new Definition<>("default",
      DefaultHandler.TYPE, MechanismType.Unset.NOTHING, new DefaultHandler(), Origin.BUILT_IN);

  /** The section {@code mechanisms} as it stands, for {@link #read}. */
  public static Decoder<Node> section() {
    return Decoders.node().described(new Shape.Members("the catalogue", KEYS));
  }

  /** Reads the section {@code mechanisms}, if there is one; what is wrong is added to the problems. */
  public static Catalogue read(Optional<Node> section, Tools tools, Problems problems) {
    Optional<Parts> parts = section
        .flatMap(node -> Decoders.object("the catalogue", KEYS, p -> p).decode(node, problems));
    Function<Kind<?>, Optional<Node>> list = kind -> parts.flatMap(p -> p.node().get(kind.key()));
    return new Catalogue(Shelf.read(Types.AUTHENTICATORS, list.apply(Types.AUTHENTICATORS), tools, problems),
        Shelf.read(Types.AUTHORIZERS, list.apply(Types.AUTHORIZERS), tools, problems),
        Shelf.read(Types.CONTEXTUALIZERS, list.apply(Types.CONTEXTUALIZERS), tools, problems),
        Shelf.read(Types.FINALIZERS, list.apply(Types.FINALIZERS), tools, problems),
        Shelf.read(Types.ERROR_HANDLERS, list.apply(Types.ERROR_HANDLERS), tools, problems).always(DEFAULT), tools);
  }
}
