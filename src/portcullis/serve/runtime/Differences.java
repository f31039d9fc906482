package portcullis.serve.runtime;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import portcullis.config.Node;
import portcullis.lang.source.Origin;

/** Compares two configurations, wherever their values are written. For one use. */
final class Differences {
  private final List<Difference> found = new ArrayList<>();
  private final Set<String> without;

  /**
   * A value that differs.
   *
   * @param at where it is in the other configuration, or would be
   */
  record Difference(String path, Origin at) {}

  private Differences(Set<String> without) {
    this.without = without;
  }

  /**
   * Returns the members that are not the same in both.
   *
   * @param without paths of members, as {@code log.level}, that are not compared, nor what is within them
   */
  static List<Difference> between(Node.Mapping one, Node.Mapping other, Set<String> without) {
    Differences out = new Differences(without);
    out.members(one, other, "");
    return out.found;
  }

  private void members(Node.Mapping one, Node.Mapping other, String prefix) {
    Set<String> names = new LinkedHashSet<>(one.members().keySet());
    names.addAll(other.members().keySet());
    for (String name : names) {
      if (!without.contains(prefix + name)) {
        member(one, other, name, prefix + name);
      }
    }
  }

  private void member(Node.Mapping one, Node.Mapping other, String name, String path) {
    if (one.get(name).isPresent() && other.get(name).isPresent()) {
      compare(one.get(name).get(), other.get(name).get(), path);
    } else if (isCompared(one, other, name, path)) {
      found.add(new Difference(path, other.get(name).map(Node::at).orElse(other.at())));
    }
  }

  /** Returns whether a section that only one has matters: not if all its members are excluded. */
  private boolean isCompared(Node.Mapping one, Node.Mapping other, String name, String path) {
    return !(one.get(name).or(() -> other.get(name)).orElseThrow() instanceof Node.Mapping section)
        || section.members().isEmpty()
        || section.members().keySet().stream().anyMatch(member -> !without.contains(path + "." + member));
  }

  private void compare(Node one, Node other, String path) {
    if (one instanceof Node.Mapping m && other instanceof Node.Mapping o) {
      members(m, o, path + ".");
    } else if (!areSame(one, other)) {
      found.add(new Difference(path, other.at()));
    }
  }

  private static boolean areSame(Node one, Node other) {
    return switch (one) {
      case Node.Scalar s -> other instanceof Node.Scalar o && s.text().equals(o.text()) && s.meaning() == o.meaning();
      case Node.Sequence s -> other instanceof Node.Sequence o && areSame(s.items(), o.items());
      case Node.Mapping m -> other instanceof Node.Mapping o && m.members().keySet().equals(o.members().keySet())
          && m.members().keySet().stream()
              .allMatch(name -> areSame(m.get(name).orElseThrow(), o.get(name).orElseThrow()));
    };
  }

  private static boolean areSame(List<Node> one, List<Node> other) {
    boolean same = one.size() == other.size();
    for (int i = 0; same && i < one.size(); i++) {
      same = areSame(one.get(i), other.get(i));
    }
    return same;
  }
}
