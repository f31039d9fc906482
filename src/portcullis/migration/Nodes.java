package portcullis.migration;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.config.Node;

/** Reads documents whose structure is not known to be right. */
final class Nodes {
  private Nodes() {}

  /** Returns the value at a path of names. */
  static Optional<Node> at(Node node, String... names) {
    Optional<Node> found = Optional.of(node);
    for (String name : names) {
      found = found.flatMap(n -> n instanceof Node.Mapping mapping ? mapping.get(name) : Optional.empty());
    }
    return found;
  }

  /** Returns the items of a list at a path of names; none if there is no list. */
  static List<Node> items(Node node, String... names) {
    return at(node, names).map(found -> found instanceof Node.Sequence list ? list.items() : List.<Node>of())
        .orElse(List.of());
  }

  /** Returns the text of a single value at a path of names. */
  static Optional<Node.Scalar> text(Node node, String... names) {
    return at(node, names).flatMap(found -> found instanceof Node.Scalar text ? Optional.of(text) : Optional.empty());
  }

  static boolean is(Node node, String value, String... names) {
    return text(node, names).filter(found -> found.text().equals(value)).isPresent();
  }

  /** Returns all single values within a node. */
  static List<Node.Scalar> scalars(Node node) {
    List<Node.Scalar> out = new ArrayList<>();
    switch (node) {
      case Node.Scalar scalar -> out.add(scalar);
      case Node.Sequence list -> list.items().forEach(item -> out.addAll(scalars(item)));
      case Node.Mapping mapping -> mapping.members().values().forEach(member -> out.addAll(scalars(member.value())));
    }
    return out;
  }

  /** Returns all values of a key, however deep. */
  static List<Node> named(Node node, String key) {
    List<Node> out = new ArrayList<>();
    switch (node) {
      case Node.Scalar _ -> {
      }
      case Node.Sequence list -> list.items().forEach(item -> out.addAll(named(item, key)));
      case Node.Mapping mapping -> mapping.members().forEach((name, member) -> {
        if (name.equals(key)) {
          out.add(member.value());
        }
        out.addAll(named(member.value(), key));
      });
    }
    return out;
  }
}
