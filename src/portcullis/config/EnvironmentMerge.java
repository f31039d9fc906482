package portcullis.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Digits;

/** Merges settings of the environment into a tree, one after the other; used once. */
final class EnvironmentMerge {
  private static final int MOST_ITEMS = 10_000;

  private final Problems problems;
  private final Set<Node.Scalar> gaps = new LinkedHashSet<>();

  private EnvironmentMerge(Problems problems) {
    this.problems = problems;
  }

  /** Returns the tree with the settings; a later one overrides earlier ones, an invalid one sets nothing. */
  static Optional<Node> of(Optional<Node> file, List<Environment.Setting> settings, Problems problems) {
    if (file.isPresent() && !(file.get() instanceof Node.Mapping)) {
      return file;
    }
    EnvironmentMerge merge = new EnvironmentMerge(problems);
    Optional<Node> tree = file;
    for (Environment.Setting setting : settings) {
      tree = Optional.of(merge.set(tree, setting, 0, Path.ROOT));
    }
    return merge.reportGaps(tree.orElseThrow()) ? tree.map(merge::withoutGaps) : tree;
  }

  /** Returns whether a step is the number of an item: up to six digits. */
  static boolean isNumber(String step) {
    return Digits.are(step, 6);
  }

  /** Returns the node at a place, merged with the rest of a setting's path below it. */
  private Node set(Optional<Node> there, Environment.Setting setting, int depth, Path path) {
    Optional<Node> present = there.filter(node -> !isNothing(node));
    if (depth == setting.steps().size()) {
      Node value = EnvironmentText.node(setting.origin(), path, setting.value(), problems);
      return present.map(node -> merged(node, value, setting.origin())).orElse(value);
    }
    String step = setting.steps().get(depth);
    return switch (present.orElseGet(() -> started(step, setting.origin(), path))) {
      case Node.Mapping m -> member(m, setting, depth);
      case Node.Sequence s when isNumber(step) -> item(s, setting, depth);
      case Node other -> {
        clash(other, setting.origin(), isNumber(step) ? "a list" : "a mapping");
        yield other;
      }
    };
  }

  private static boolean isNothing(Node node) {
    return node instanceof Node.Scalar s && s.meaning() == Node.Meaning.NULL;
  }

  private static Node started(String step, Origin at, Path path) {
    return isNumber(step) ? new Node.Sequence(at, path, List.of()) : new Node.Mapping(at, path, new LinkedHashMap<>());
  }

  private Node member(Node.Mapping mapping, Environment.Setting setting, int depth) {
    String name = written(mapping, setting.steps().get(depth));
    Optional<Node> old = mapping.get(name);
    Node changed = set(old, setting, depth + 1, mapping.where().member(name));
    SequencedMap<String, Node.Member> members = new LinkedHashMap<>(mapping.members());
    Origin nameAt = members.containsKey(name) ? members.get(name).nameAt() : setting.origin();
    members.put(name, new Node.Member(nameAt, changed));
    return new Node.Mapping(mapping.at(), mapping.where(), members);
  }

  /** Returns the name as the mapping has it: variables are often in capitals, so that letter case is ignored. */
  private static String written(Node.Mapping mapping, String name) {
    return mapping.members().containsKey(name) ? name
        : mapping.members().keySet().stream().filter(name::equalsIgnoreCase).findFirst().orElse(name);
  }

  private Node item(Node.Sequence sequence, Environment.Setting setting, int depth) {
    int index = Integer.parseInt(setting.steps().get(depth));
    if (index >= MOST_ITEMS) {
      problems.error(setting.origin(), sequence.path(), "a list has no item " + index, "the first one is 0");
      return sequence;
    }
    List<Node> items = new ArrayList<>(sequence.items());
    while (items.size() <= index) {
      Node.Scalar gap = EnvironmentText.scalar(setting.origin(), sequence.where().item(items.size()), "");
      gaps.add(gap);
      items.add(gap);
    }
    items.set(index, set(Optional.of(items.get(index)), setting, depth + 1, sequence.where().item(index)));
    return new Node.Sequence(sequence.at(), sequence.where(), items);
  }

  /** Merges mappings and lists, whose new members and items take precedence; replaces single values. */
  private Node merged(Node old, Node value, Origin.InEnvironment origin) {
    return switch (old) {
      case Node.Scalar _ when value instanceof Node.Scalar -> value;
      case Node.Mapping m when value instanceof Node.Mapping v -> merged(m, v, origin);
      case Node.Sequence s when value instanceof Node.Sequence v -> merged(s, v, origin);
      case Node.Sequence s when EnvironmentText.is(value) ->
        merged(s, EnvironmentText.split((Node.Scalar) value), origin);
      case Node other -> {
        clash(other, origin, value.kind());
        yield other;
      }
    };
  }

  private Node merged(Node.Mapping old, Node.Mapping value, Origin.InEnvironment origin) {
    SequencedMap<String, Node.Member> members = new LinkedHashMap<>(old.members());
    value.members().forEach((name, member) -> members.merge(name, member, (was, is) -> isNothing(was.value()) ? is
        : new Node.Member(was.nameAt(), merged(was.value(), is.value(), origin))));
    return new Node.Mapping(old.at(), old.where(), members);
  }

  private Node merged(Node.Sequence old, Node.Sequence value, Origin.InEnvironment origin) {
    List<Node> items = new ArrayList<>(old.items());
    for (Node item : value.items()) {
      int index = ((Path.Item) item.where()).index();
      if (index == items.size()) {
        items.add(item);
      } else {
        items.set(index, isNothing(items.get(index)) ? item : merged(items.get(index), item, origin));
      }
    }
    return new Node.Sequence(old.at(), old.where(), items);
  }

  private void clash(Node there, Origin.InEnvironment origin, String here) {
    String hint = switch (there) {
      case Node.Mapping _ -> "its members are set by `_NAME`";
      case Node.Sequence _ -> "its items are set by `_0`, `_1`";
      case Node.Scalar _ -> "";
    };
    problems.error(origin, there.path(), "this is " + here + ", but " + there.at().text() + " has " + there.kind(),
        hint);
  }

  /** Reports items that were not set, once for each list; returns whether there are any. */
  private boolean reportGaps(Node root) {
    Set<Path> reported = new HashSet<>();
    for (Node.Scalar gap : gaps) {
      Path.Item item = (Path.Item) gap.where();
      if (find(item, root).filter(gap::equals).isPresent() && reported.add(item.parent())) {
        problems.error(gap.at(), item.parent().toString(), "item " + item.index() + " of the list is not set",
            "items count from 0");
      }
    }
    return !reported.isEmpty();
  }

  private boolean isGap(Node node) {
    return node instanceof Node.Scalar scalar && gaps.contains(scalar);
  }

  /** Returns the tree without them, so that they cause no further errors. */
  private Node withoutGaps(Node node) {
    return switch (node) {
      case Node.Scalar s -> s;
      case Node.Sequence s -> new Node.Sequence(s.at(), s.where(),
          s.items().stream().filter(item -> !isGap(item)).map(this::withoutGaps).toList());
      case Node.Mapping m -> {
        SequencedMap<String, Node.Member> members = new LinkedHashMap<>();
        m.members().forEach(
            (name, member) -> members.put(name, new Node.Member(member.nameAt(), withoutGaps(member.value()))));
        yield new Node.Mapping(m.at(), m.where(), members);
      }
    };
  }

  private static Optional<Node> find(Path path, Node root) {
    return switch (path) {
      case Path.Root _ -> Optional.of(root);
      case Path.Member(Path parent, String name) -> find(parent, root).flatMap(n -> ((Node.Mapping) n).get(name));
      case Path.Item(Path parent, int index) -> find(parent, root).map(n -> ((Node.Sequence) n).items().get(index));
    };
  }
}
