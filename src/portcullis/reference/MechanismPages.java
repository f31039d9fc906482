package portcullis.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import portcullis.config.Decoder;
import portcullis.config.Node;
import portcullis.config.Shape;
import portcullis.config.Yaml;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.catalogue.MechanismKind;
import portcullis.policy.mechanism.MechanismType;

/** A page for each type of mechanism: purpose, keys, errors and an example. */
final class MechanismPages {
  static final String FOLDER = "mechanisms/";
  private static final String ENDPOINTS = "../endpoints.md";

  private MechanismPages() {}

  static List<Page> all() {
    List<Page> out = new ArrayList<>();
    for (MechanismKind<?> kind : Catalogue.KINDS) {
      kind.types().forEach(type -> out.add(page(kind, type)));
    }
    return List.copyOf(out);
  }

  static Page page(MechanismKind<?> kind, MechanismType<?, ?> type) {
    String title = kind.name() + " `" + type.name() + "`";
    StringBuilder out = new StringBuilder("# ").append(title).append("\n\n").append(type.doc().purpose())
        .append("\n\n## Keys\n\n").append(keys(kind, type)).append("\n## In a rule\n\n").append(inRule(kind, type))
        .append("\n## Errors\n\n").append(errors(type));
    List<Example> example = example(name(kind, type));
    if (!example.isEmpty()) {
      out.append("\n## Example\n\n").append(blocks(example));
    }
    return new Page(FOLDER + name(kind, type) + ".md", title, out.toString());
  }

  static String name(MechanismKind<?> kind, MechanismType<?, ?> type) {
    return kind.stepKey() + "-" + type.name();
  }

  private static String keys(MechanismKind<?> kind, MechanismType<?, ?> type) {
    String table = KeyTable.of(type.config().shape(), ENDPOINTS);
    return "Defined in `mechanisms." + kind.key() + "`, with an `id` of your choice, `type: " + type.name() + "`"
        + (table.isEmpty() ? "; there is nothing to configure.\n"
            : " and `config`" + (type.absent().isEmpty() ? "" : ", which may be omitted") + ":\n\n" + table);
  }

  private static String inRule(MechanismKind<?> kind, MechanismType<?, ?> type) {
    String step = "A step of a rule refers to the definition: `" + kind.stepKey() + ": ID`.";
    Optional<String> table = overrides(kind, type);
    return table.isEmpty() ? step + " It cannot override anything.\n"
        : step + " Its `config` overrides values of the definition:\n\n" + table.get();
  }

  /** Returns the keys that a step may override; empty if there are none. */
  private static Optional<String> overrides(MechanismKind<?> kind, MechanismType<?, ?> type) {
    return refined(kind, type).map(shape -> KeyTable.withoutDefaults(shape, ENDPOINTS))
        .filter(table -> !table.isEmpty());
  }

  /** Returns what the settings of a step look like; empty if it can have none. */
  static <C> Optional<Shape> refined(MechanismKind<?> kind, MechanismType<C, ?> type) {
    return type.refine()
        .flatMap(refine -> settings(kind, type).map(settings -> refine.apply(settings).shape()));
  }

  /** Returns the settings of the example, from which the keys that a rule may override are derived, or the defaults. */
  private static <C> Optional<C> settings(MechanismKind<?> kind, MechanismType<C, ?> type) {
    Problems problems = new Problems();
    Optional<Node> definition = example(name(kind, type)).stream().findFirst()
        .flatMap(file -> Yaml.read(new SourceFile(name(kind, type), file.text()), problems))
        .flatMap(root -> member(root, "mechanisms")).flatMap(root -> member(root, kind.key()))
        .flatMap(list -> ((Node.Sequence) list).items().stream()
            .filter(item -> member(item, "type").filter(t -> ((Node.Scalar) t).text().equals(type.name())).isPresent())
            .findFirst());
    return definition.flatMap(found -> member(found, "config"))
        .flatMap(config -> type.config().decode(config, problems)).or(type::absent);
  }

  private static Optional<Node> member(Node node, String name) {
    return node instanceof Node.Mapping mapping ? mapping.get(name) : Optional.empty();
  }

  private static String errors(MechanismType<?, ?> type) {
    if (type.doc().errors().isEmpty()) {
      return "None.\n";
    }
    return Prose.table(List.of("error", "when"), type.doc().errors().stream()
        .map(cause -> List.of("[" + Prose.code(cause.kind().constant()) + "](../errors.md)", cause.when())).toList());
  }

  /** A file of an example. */
  record Example(String file, String text) {}

  /** Returns the files of an example: configuration, rule set and test cases; none if there is no example. */
  static List<Example> example(String name) {
    List<Example> out = new ArrayList<>();
    Optional<String> text = Prose.find("examples/" + name + ".txt");
    if (text.isEmpty()) {
      return List.of();
    }
    String[] parts = text.get().split("(?m)^--- ");
    out.add(new Example("portcullis.yaml", parts[0]));
    for (String part : List.of(parts).subList(1, parts.length)) {
      int end = part.indexOf('\n');
      out.add(new Example(part.substring(0, end), part.substring(end + 1)));
    }
    return List.copyOf(out);
  }

  static String blocks(List<Example> files) {
    return files.stream().map(file -> "`" + file.file() + "`:\n\n```yaml\n" + file.text() + "```\n\n")
        .collect(Collectors.joining())
        + "`portcullis test --insecure rules_test.yaml` runs the cases in a folder with these files; "
        + "`--insecure`, as the example has no TLS.\n";
  }
}
