package portcullis.policy.catalogue;

import java.util.List;
import java.util.Optional;
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
    long before = problems.errors();
    Optional<DecodedMembers> parts = section
        .flatMap(node -> Decoders.partial("the catalogue", KEYS, (p, _) -> Optional.of(p)).decode(node, problems));
    return new Reading(parts, problems.errors() > before, context, problems).catalogue();
  }

  /** Reads the lists of the section. */
  private record Reading(Optional<DecodedMembers> parts, boolean hasErrors, MechanismContext context,
      Problems problems) {
    Catalogue catalogue() {
      return new Catalogue(list(MechanismTypes.AUTHENTICATORS), list(MechanismTypes.AUTHORIZERS),
          list(MechanismTypes.CONTEXTUALIZERS), list(MechanismTypes.FINALIZERS),
          list(MechanismTypes.ERROR_HANDLERS).always(DEFAULT), context);
    }

    private <K extends Mechanism> Definitions<K> list(MechanismKind<K> kind) {
      Optional<Node> list = parts.flatMap(p -> p.node().get(kind.key()));
      return Definitions.read(kind, list, hasErrors && list.isEmpty(), context, problems);
    }
  }
}
