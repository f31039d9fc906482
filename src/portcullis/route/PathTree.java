package portcullis.route;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Things by path patterns: a node for every beginning that patterns share. A search visits each node at most once, in
 * the order of precedence: literals before single wildcards before free ones, each way to its end. Immutable.
 *
 * @param single what follows a single wildcard here; none or one
 * @param rest the thing of the patterns that take all from here on; none or one
 * @param end the thing of the patterns that end here; none or one
 */
record PathTree<T>(Map<String, PathTree<T>> literals, List<PathTree<T>> single, List<T> rest, List<T> end) {
  /** What {@code take} first makes of a thing whose pattern fits the path. */
  <R> Optional<R> fitting(SplitPath path, Function<T, Optional<R>> take) {
    return fitting(path, 0, take);
  }

  private <R> Optional<R> fitting(SplitPath path, int depth, Function<T, Optional<R>> take) {
    if (depth == path.size()) {
      return taken(end, take);
    }
    String segment = path.segment(depth);
    PathTree<T> literal = literals.get(segment);
    Optional<R> found = literal == null ? Optional.empty() : literal.fitting(path, depth + 1, take);
    if (found.isEmpty() && !single.isEmpty() && !segment.isEmpty()) {
      found = single.getFirst().fitting(path, depth + 1, take);
    }
    return found.isEmpty() && !path.endsBefore(depth) ? taken(rest, take) : found;
  }

  /** What {@code take} first makes of a thing whose pattern fits every path that the given pattern fits. */
  <R> Optional<R> covering(List<Segment> pattern, Function<T, Optional<R>> take) {
    return covering(pattern, 0, take);
  }

  private <R> Optional<R> covering(List<Segment> pattern, int depth, Function<T, Optional<R>> take) {
    if (depth == pattern.size()) {
      return taken(end, take);
    }
    Segment segment = pattern.get(depth);
    Optional<R> found = Optional.empty();
    if (segment instanceof Segment.Literal(String text) && literals.containsKey(text)) {
      found = literals.get(text).covering(pattern, depth + 1, take);
    }
    boolean isNothing = segment.equals(Segment.NOTHING);
    if (found.isEmpty() && !single.isEmpty() && !isNothing && !(segment instanceof Segment.Rest)) {
      found = single.getFirst().covering(pattern, depth + 1, take);
    }
    boolean leavesSomething = !isNothing || depth + 1 < pattern.size();
    return found.isEmpty() && leavesSomething ? taken(rest, take) : found;
  }

  private static <T, R> Optional<R> taken(List<T> thing, Function<T, Optional<R>> take) {
    return thing.isEmpty() ? Optional.empty() : take.apply(thing.getFirst());
  }

  /**
   * Puts items into a tree; those of one pattern are gathered to one thing, in the order given.
   *
   * @param pattern tells the pattern of an item
   */
  static <E, T> PathTree<T> of(List<E> items, Function<E, List<Segment>> pattern, Function<List<E>, T> gathered) {
    return new Builder<>(pattern, gathered).tree(0, items);
  }

  private record Builder<E, T>(Function<E, List<Segment>> pattern, Function<List<E>, T> gathered) {
    PathTree<T> tree(int depth, List<E> items) {
      if (items.size() == 1) {
        return branch(depth, items);
      }
      Map<String, List<E>> literals = new HashMap<>();
      List<E> single = new ArrayList<>();
      List<E> rest = new ArrayList<>();
      List<E> end = new ArrayList<>();
      for (E item : items) {
        List<Segment> segments = pattern.apply(item);
        List<E> group = depth == segments.size() ? end : switch (segments.get(depth)) {
          case Segment.Literal(String text) -> literals.computeIfAbsent(text, _ -> new ArrayList<>(1));
          case Segment.Single _ -> single;
          case Segment.Rest _ -> rest;
        };
        group.add(item);
      }
      Map<String, PathTree<T>> below = HashMap.newHashMap(literals.size());
      literals.forEach((text, group) -> below.put(text, tree(depth + 1, group)));
      return new PathTree<>(below.size() < 2 ? Map.copyOf(below) : below,
          single.isEmpty() ? List.of() : List.of(tree(depth + 1, single)), things(rest), things(end));
    }

    private List<T> things(List<E> group) {
      return group.isEmpty() ? List.of() : List.of(gathered.apply(group));
    }

    /** All that follows of a pattern that has no other beside it. */
    private PathTree<T> branch(int depth, List<E> item) {
      List<Segment> segments = pattern.apply(item.getFirst());
      boolean free = segments.getLast() instanceof Segment.Rest;
      PathTree<T> tree = free
          ? new PathTree<>(Map.of(), List.of(), things(item), List.of())
          : new PathTree<>(Map.of(), List.of(), List.of(), things(item));
      for (int i = segments.size() - (free ? 2 : 1); i >= depth; i--) {
        tree = segments.get(i) instanceof Segment.Literal(String text)
            ? new PathTree<>(Map.of(text, tree), List.of(), List.of(), List.of())
            : new PathTree<>(Map.of(), List.of(tree), List.of(), List.of());
      }
      return tree;
    }
  }
}
