package portcullis.policy.catalogue;

import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Node;
import portcullis.config.PartialDecoding;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.mechanism.MechanismType;

/** A mechanism that the configuration defines; steps use it as it is, or override some of its settings. */
public record Definition<C, K extends Mechanism>(String id, MechanismType<C, K> type, C config, K mechanism,
    Origin at) {
  /** Creates a definition; empty exactly if a problem was added. */
  static <C, K extends Mechanism> Optional<Definition<C, K>> of(String id, MechanismType<C, K> type, Node.Mapping entry,
      Optional<Node> settings, MechanismContext context, Problems problems) {
    if (settings.isEmpty() && type.absent().isEmpty()) {
      problems.error(entry.at(), entry.path(), "`config` is missing", "type `" + type.name() + "` has settings");
      return Optional.empty();
    }
    Decoder.Step<C, Definition<C, K>> making = (config, _, reported) -> type.maker().make(config, context, reported)
        .map(mechanism -> new Definition<>(id, type, config, mechanism, entry.at()));
    return settings.isPresent() ? PartialDecoding.then(type.config(), making).decode(settings.get(), problems)
        : type.absent().flatMap(config -> making.take(config, entry, problems));
  }

  /** Returns the mechanism with the settings that a step overrides; empty exactly if a problem was added. */
  public Optional<K> refined(Node settings, String kind, MechanismContext context, Problems problems) {
    if (type.refine().isEmpty()) {
      if (settings instanceof Node.Mapping m && m.members().isEmpty()) {
        return Optional.of(mechanism);
      }
      problems.error(settings.at(), settings.path(), "the `" + type.name() + "` " + kind + " cannot be reconfigured "
          + "in a rule",
          "define another " + kind + " for it");
      return Optional.empty();
    }
    return PartialDecoding
        .then(type.refine().get().apply(config), (c, _, found) -> type.maker().make(c, context, found))
        .decode(settings, problems);
  }
}
