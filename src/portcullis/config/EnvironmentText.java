package portcullis.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

/**
 * A single value that an environment variable set. Decoders take it for whatever kind of single value they need, since
 * variables have no kinds. Immutable.
 */
record EnvironmentText(Origin.InEnvironment origin, String text) implements LocatedText {
  @Override
  public Origin at(int offset, int length) {
    return origin;
  }

  @Override
  public String path() {
    return "";
  }

  /** Returns whether a node is a single value that a variable set, {@code null} aside. */
  static boolean is(Node node) {
    return node instanceof Node.Scalar s && s.located() instanceof EnvironmentText
        && (s.meaning() != Node.Meaning.NULL || s.text().isEmpty());
  }

  /** Returns a single value as it stands in a variable. */
  static Node.Scalar scalar(Origin.InEnvironment origin, Path path, String text) {
    return new Node.Scalar(new EnvironmentText(origin, text), path, Scalars.meaning(text));
  }

  /**
   * Returns the node that a variable sets: {@code {…}}, {@code […]} and quoted values are read as YAML, others are
   * single values as they are.
   */
  static Node node(Origin.InEnvironment origin, Path path, String value, Problems problems) {
    String text = value.strip();
    if (!text.isEmpty() && "{[\"'".indexOf(text.charAt(0)) >= 0) {
      Problems errors = new Problems();
      Optional<Node> read = Yaml.read(SourceFile.argument(origin.variable(), text), errors);
      if (read.isPresent()) {
        errors.sorted().forEach(f -> problems.add(new Problem(f.severity(), origin, path.toString(), f.message(), "")));
        return moved(read.get().under(path), origin);
      }
    }
    return scalar(origin, path, text);
  }

  /** Returns a copy of the node whose place is the variable. */
  private static Node moved(Node node, Origin.InEnvironment origin) {
    return switch (node) {
      case Node.Scalar s -> new Node.Scalar(new EnvironmentText(origin, s.text()), s.where(), s.meaning());
      case Node.Sequence s ->
        new Node.Sequence(origin, s.where(), s.items().stream().map(i -> moved(i, origin)).toList());
      case Node.Mapping m -> {
        SequencedMap<String, Node.Member> members = new LinkedHashMap<>();
        m.members()
            .forEach((name, member) -> members.put(name, new Node.Member(origin, moved(member.value(), origin))));
        yield new Node.Mapping(origin, m.where(), members);
      }
    };
  }

  /** Returns the items of a list in one value, with commas between them. */
  static Node.Sequence split(Node.Scalar value) {
    Origin.InEnvironment origin = ((EnvironmentText) value.located()).origin();
    List<Node> items = new ArrayList<>();
    if (!value.text().isBlank()) {
      for (String item : value.text().split(",", -1)) {
        items.add(scalar(origin, value.where().item(items.size()), item.strip()));
      }
    }
    return new Node.Sequence(origin, value.where(), items);
  }
}
