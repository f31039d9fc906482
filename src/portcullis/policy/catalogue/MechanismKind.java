package portcullis.policy.catalogue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import portcullis.config.Key;
import portcullis.config.Shape;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismType;

/**
 * One of the five kinds of mechanisms.
 *
 * @param name in messages, as {@code error handler}
 * @param key of the list of its definitions in the configuration, as {@code error_handlers}
 */
public record MechanismKind<K extends Mechanism>(Class<K> type, String name, String key,
    List<? extends MechanismType<?, K>> types) {
  /** Returns the key of a step that refers to a definition, as {@code error_handler}. */
  public String stepKey() {
    return name.replace(' ', '_');
  }

  Optional<? extends MechanismType<?, K>> find(String typeName) {
    return types.stream().filter(t -> t.name().equals(typeName)).findFirst();
  }

  List<String> typeNames() {
    return types.stream().map(MechanismType::name).toList();
  }

  /** Returns the shape of the list of definitions. */
  Shape shape() {
    SequencedMap<String, Shape> options = new LinkedHashMap<>();
    types.forEach(t -> options.put(t.name(), new Shape.Members("a definition", List.of(Definitions.ID, settings(t)))));
    return new Shape.Items(new Shape.Choice("type", options), 0);
  }

  private static <C> Key<?> settings(MechanismType<C, ?> type) {
    return type.absent().isPresent() ? Key.optional("config", type.config(), "the settings")
        : Key.required("config", type.config(), "the settings");
  }
}
