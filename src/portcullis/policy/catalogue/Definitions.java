package portcullis.policy.catalogue;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import portcullis.config.DecodedMembers;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Nearest;
import portcullis.lang.source.Problems;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.mechanism.MechanismType;

/** The definitions of one kind by id; immutable once read. */
public final class Definitions<K extends Mechanism> {
  static final Key<String> ID = Key.required("id", Decoders.nonEmpty(), "the name by which rules refer to it");
  private static final Key<Optional<Node>> CONFIG = Key.optional("config", Decoders.node(), "the settings");

  private final MechanismKind<K> kind;
  private final Key<LocatedText> type;
  private final MechanismContext context;
  private final Map<String, Definition<?, K>> defined = new LinkedHashMap<>();
  private final Set<String> broken = new HashSet<>();
  /** Whether some definitions cannot be read, not even their ids. */
  private boolean incomplete;

  private Definitions(MechanismKind<K> kind, MechanismContext context) {
    this.kind = kind;
    this.type = Key.required("type", Decoders.located(), "one of " + String.join(", ", kind.typeNames()));
    this.context = context;
  }

  /**
   * Reads the list of definitions, if present; adds problems.
   *
   * @param incomplete whether the list may be where it cannot be read
   */
  static <K extends Mechanism> Definitions<K> read(MechanismKind<K> kind, Optional<Node> list, boolean incomplete,
      MechanismContext context, Problems problems) {
    Definitions<K> definitions = new Definitions<>(kind, context);
    definitions.incomplete = incomplete;
    list.ifPresent(node -> {
      if (node instanceof Node.Sequence sequence) {
        sequence.items().forEach(entry -> definitions.define(entry, problems));
      } else {
        definitions.incomplete = true;
        Decoders.wrong(node, problems, "a list of " + kind.name() + "s", "each item begins with `- `");
      }
    });
    return definitions;
  }

  private void define(Node entry, Problems problems) {
    long before = problems.errors();
    Decoders.partial("a definition", List.of(ID, type, CONFIG), (parts, found) -> {
      add(parts, found);
      return Optional.of(parts);
    }).decode(entry, problems);
    // a definition with errors still exists: steps that use it are not reported as well
    if (problems.errors() > before) {
      if (entry instanceof Node.Mapping m && m.get(ID.name()).orElse(m) instanceof Node.Scalar id) {
        broken.add(id.text());
      } else {
        incomplete = true;
      }
    }
  }

  private void add(DecodedMembers parts, Problems problems) {
    LocatedText type = parts.get(this.type);
    Optional<? extends MechanismType<?, K>> found = kind.find(type.text());
    if (found.isEmpty()) {
      problems.error(type.at(0, type.text().length()), type.path(), "no type of " + kind.name() + " is called `"
          + Decoders.shortened(type.text()) + "`", Nearest.hint(type.text(), kind.typeNames()));
      return;
    }
    String id = parts.or(ID, "");
    if (defined.containsKey(id)) {
      problems.error(parts.node().at(), parts.node().path(), "a second " + kind.name() + " `" + id + "`",
          "the first is at "
              + defined.get(id).at().text());
    }
    Optional<Node> config = parts.get(CONFIG);
    if (config.isEmpty() && !parts.known()) {
      return; // the unknown name may have been meant to say it
    }
    Definition.of(id, found.get(), parts.node(), config, context, problems).filter(_ -> !id.isEmpty()).ifPresent(d -> {
      defined.putIfAbsent(id, d);
      context.log().debug("Pipeline definition loaded", "_mechanism", id, "_type", d.type().name());
    });
  }

  /** Adds a built-in definition, unless the configuration defines one with the same id. */
  <C> Definitions<K> always(Definition<C, K> definition) {
    defined.putIfAbsent(definition.id(), definition);
    return this;
  }

  /** Returns the definition that a step refers to; empty exactly if a problem was added, now or when it was read. */
  public Optional<Definition<?, K>> find(LocatedText id, Problems problems) {
    Optional<Definition<?, K>> found = Optional.ofNullable(defined.get(id.text()));
    if (found.isEmpty() && !incomplete && !broken.contains(id.text())) {
      problems.error(id.at(0, id.text().length()), id.path(),
          "no " + kind.name() + " `" + Decoders.shortened(id.text()) + "`",
          Nearest.hint(id.text(), defined.keySet()));
    }
    return found;
  }

  /** Returns the mechanism of a step: that of the definition, or one with the settings that the step overrides. */
  public Optional<K> mechanism(Definition<?, K> definition, Optional<Node> settings, Problems problems) {
    return settings.isEmpty() ? Optional.of(definition.mechanism())
        : definition.refined(settings.get(), kind.name(), context, problems);
  }

  public Collection<Definition<?, K>> definitions() {
    return defined.values();
  }
}
