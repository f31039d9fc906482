package portcullis.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;

/**
 * Decodes what is left of a tree once its invalid parts are removed, so that all errors are reported at once and not
 * only the first kind of them. Used once.
 */
public final class PartialDecoding {
  /** Mappings whose members belong together: without its password a key store would be an error too. */
  private static final Set<String> TOGETHER = Set.of("key_store", "credentials");

  private static final int TRIES = 4;

  private final Map<String, Set<Origin>> errors = new HashMap<>();

  private PartialDecoding(Problems problems) {
    problems.sorted().stream().filter(Problem::isError)
        .forEach(problem -> errors.computeIfAbsent(problem.path(), _ -> new HashSet<>()).add(problem.at()));
  }

  /**
   * Returns what the decoder makes of the tree without the members and items that have errors, or an empty optional
   * where required ones are among them.
   */
  public static <T> Optional<T> decoded(Node node, Problems problems, Decoder<T> decoder) {
    Optional<Node> rest = Optional.of(node);
    Problems errors = problems;
    for (int i = 0; i < TRIES && rest.isPresent(); i++) {
      rest = new PartialDecoding(errors).left(rest.get());
      Problems left = new Problems(); // what lacks a member that was left out goes with it
      Optional<T> made = rest.flatMap(r -> decoder.decode(r, left));
      if (made.isPresent()) {
        return made;
      }
      errors = left;
    }
    return Optional.empty();
  }

  private Optional<Node> left(Node node) {
    return switch (node) {
      case Node.Scalar s -> errors.containsKey(s.path()) ? Optional.empty() : Optional.of(s);
      case Node.Sequence s -> left(s);
      case Node.Mapping m -> left(m);
    };
  }

  private Optional<Node> left(Node.Sequence list) {
    if (errors.containsKey(list.path())) {
      return Optional.empty();
    }
    List<Node> items = new ArrayList<>();
    list.items().forEach(item -> left(item).ifPresent(items::add));
    return Optional.of(new Node.Sequence(list.at(), list.where(), items));
  }

  private Optional<Node> left(Node.Mapping mapping) {
    Set<Origin> unexplained = new HashSet<>(errors.getOrDefault(mapping.path(), Set.of()));
    SequencedMap<String, Node.Member> members = new LinkedHashMap<>();
    mapping.members().forEach((name, member) -> {
      if (!unexplained.remove(member.nameAt())) {
        left(member.value()).ifPresent(value -> members.put(name, new Node.Member(member.nameAt(), value)));
      }
    });
    boolean together = mapping.where() instanceof Path.Member(Path _, String name) && TOGETHER.contains(name);
    boolean whole = members.size() == mapping.members().size();
    return unexplained.isEmpty() && (whole || !together)
        ? Optional.of(new Node.Mapping(mapping.at(), mapping.where(), members))
        : Optional.empty();
  }

  /** Decodes like {@link Decoder#then}; if the decoder fails, the step still checks what is left. */
  public static <T, U> Decoder<U> then(Decoder<T> decoder, Decoder.Step<T, U> step) {
    return Decoder.of(decoder.shape(), (node, problems) -> {
      Problems errors = new Problems();
      Optional<T> made = decoder.decode(node, errors);
      problems.addAll(errors);
      if (made.isPresent()) {
        return step.take(made.get(), node, problems);
      }
      Problems later = new Problems();
      decoded(node, errors, decoder).ifPresent(rest -> step.take(rest, node, later));
      // an error of the whole mapping may be due to what was removed
      later.sorted().stream().filter(p -> p.isError() && p.path().startsWith(node.path() + ".")).forEach(problems::add);
      return Optional.empty();
    });
  }
}
