package portcullis.policy.catalogue;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import portcullis.config.DecodedMembers;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.config.Shape;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.policy.errorhandler.DefaultHandler;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.mechanism.MechanismType;

/** The mechanisms that a configuration defines; immutable. */
public record Catalogue(Definitions<Mechanism.Authenticator> authenticators,
    Definitions<Mechanism.Authorizer> authorizers,
    Definitions<Mechanism.Contextualizer> contextualizers, Definitions<Mechanism.Finalizer> finalizers,
    Definitions<Mechanism.ErrorHandler> errorHandlers, MechanismContext context) {
  /** All kinds with their types, independent of the configuration. */
  public static final List<MechanismKind<?>> KINDS = MechanismTypes.ALL;

  private static final List<Key<?>> KEYS = List.copyOf(KINDS.stream()
      .map(kind -> Key.optional(kind.key(), Decoders.node().described(kind.shape()), "the " + kind.name() + "s"))
      .toList());

  private static final Definition<MechanismType.Unset, Mechanism.ErrorHandler> DEFAULT = new Definition<>("default",
      DefaultHandler.TYPE, MechanismType.Unset.NOTHING, new DefaultHandler(), Origin.BUILT_IN);

  /** Decodes the section {@code mechanisms} without interpreting it, for {@link #read}. */
  public static Decoder<Node> section() {
    return Decoders.node().described(new Shape.Members("the catalogue", KEYS));
  }

  /** Reads the section {@code mechanisms}, if present; adds problems. */
  public static Catalogue read(Optional<Node> section, MechanismContext context, Problems problems) {
    Optional<DecodedMembers> parts = section
        .flatMap(node -> Decoders.object("the catalogue", KEYS, p -> p).decode(node, problems));
    Function<MechanismKind<?>, Optional<Node>> list = kind -> parts.flatMap(p -> p.node().get(kind.key()));
    return new Catalogue(
        Definitions.read(MechanismTypes.AUTHENTICATORS, list.apply(MechanismTypes.AUTHENTICATORS), context, problems),
        Definitions.read(MechanismTypes.AUTHORIZERS, list.apply(MechanismTypes.AUTHORIZERS), context, problems),
        Definitions.read(MechanismTypes.CONTEXTUALIZERS, list.apply(MechanismTypes.CONTEXTUALIZERS), context, problems),
        Definitions.read(MechanismTypes.FINALIZERS, list.apply(MechanismTypes.FINALIZERS), context, problems),
        Definitions.read(MechanismTypes.ERROR_HANDLERS, list.apply(MechanismTypes.ERROR_HANDLERS), context, problems)
            .always(DEFAULT),
        context);
  }
}
