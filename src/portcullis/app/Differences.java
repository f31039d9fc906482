package portcullis.app;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import portcullis.config.Node;

/** What two configurations differ in, wherever it is written; used once. */
final class Differences {
  private final List<String> paths = new ArrayList<>();

  private Differences() {}

  /** The paths of members that are not the same in both, but for what is within these members of the whole. */
  static List<String> between(Node.Mapping one, Node.Mapping other, Set<String> without) {
    Differences out = new Differences();
    Set<String> names = new LinkedHashSet<>(one.members().keySet());
    names.addAll(other.members().keySet());
    names.removeAll(without);
    names.forEach(name -> out.member(one, other, name, name));
    return out.paths;
  }

  private void member(Node.Mapping one, Node.Mapping other, String name, String path) {
    if (one.get(name).isPresent() && other.get(name).isPresent()) {
      compare(one.get(name).get(), other.get(name).get(), path);
    } else {
      paths.add(path);
    }
  }

  private void compare(Node one, Node other, String path) {
    if (one instanceof Node.Mapping m && other instanceof Node.Mapping o) {
      Set<String> names = new LinkedHashSet<>(m.members().keySet());
      names.addAll(o.members().keySet());
      names.forEach(name -> member(m, o, name, path + "." + name));
    } else if (!areSame(one, other)) {
      paths.add(path);
    }
  }

  private static boolean areSame(Node one, Node other) {
    return switch (one) {
      case Node.Scalar s -> other instanceof Node.Scalar o && s.text().equals(o.text()) && s.meaning() == o.meaning();
      case Node.Sequence s -> other instanceof Node.Sequence o && areSame(s.items(), o.items());
      case Node.Mapping m -> other instanceof Node.Mapping o && m.members().keySet().equals(o.members().keySet())
          && m.members().keySet().stream().allMatch(name -> areSame(m.get(name).orElseThrow(), o.get(name).orElseThrow()));
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
