package portcullis.route;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Things by path patterns: a node for every beginning that patterns share. A search visits each node at most once, in
 * the order of precedence: literals before single wildcards before free ones, each way to its end. Immutable.
 *
 * @param single what follows a single wildcard here; none or one
 * @param rest the things whose patterns take all from here on
 * @param end the things whose patterns end here
 */
record PathTree<T>(Map<String, PathTree<T>> literals, List<PathTree<T>> single, T rest, T end) {
  /** Puts items into a tree; those of one pattern are gathered to one thing, in the order given. */
  static <E, T> PathTree<T> of(List<E> items, Function<E, List<Segment>> pattern, Function<List<E>, T> gathered) {
    return at(0, items, pattern, gathered);
  }

  private static <E, T> PathTree<T> at(int depth, List<E> items, Function<E, List<Segment>> pattern,
      Function<List<E>, T> gathered) {
    Map<String, List<E>> literals = new LinkedHashMap<>();
    List<E> single = new ArrayList<>();
    List<E> rest = new ArrayList<>();
    List<E> end = new ArrayList<>();
    for (E item : items) {
      List<Segment> segments = pattern.apply(item);
      List<E> group = depth == segments.size() ? end : switch (segments.get(depth)) {
        case Segment.Literal(String text) -> literals.computeIfAbsent(text, _ -> new ArrayList<>());
        case Segment.Single _ -> single;
        case Segment.Rest _ -> rest;
      };
      group.add(item);
    }
    Map<String, PathTree<T>> below = LinkedHashMap.newLinkedHashMap(literals.size());
    literals.forEach((text, group) -> below.put(text, at(depth + 1, group, pattern, gathered)));
    return new PathTree<>(Map.copyOf(below), single.isEmpty() ? List.of() : List.of(at(depth + 1, single, pattern, gathered)),
        gathered.apply(rest), gathered.apply(end));
  }

  /** What {@code take} first makes of a thing whose pattern fits the path. */
  <R> Optional<R> fitting(SplitPath path, Function<T, Optional<R>> take) {
    return fitting(path, 0, take);
  }

  private <R> Optional<R> fitting(SplitPath path, int depth, Function<T, Optional<R>> take) {
    if (depth == path.size()) {
      return take.apply(end);
    }
    String segment = path.segment(depth);
    PathTree<T> literal = literals.get(segment);
    Optional<R> found = literal == null ? Optional.empty() : literal.fitting(path, depth + 1, take);
    if (found.isEmpty() && !single.isEmpty() && !segment.isEmpty()) {
      found = single.getFirst().fitting(path, depth + 1, take);
    }
    return found.isEmpty() && !path.endsBefore(depth) ? take.apply(rest) : found;
  }

  /** What {@code take} first makes of a thing whose pattern fits every path that the given pattern fits. */
  <R> Optional<R> covering(List<Segment> pattern, Function<T, Optional<R>> take) {
    if (pattern.isEmpty()) {
      return take.apply(end);
    }
    List<Segment> others = pattern.subList(1, pattern.size());
    Segment segment = pattern.getFirst();
    Optional<R> found = Optional.empty();
    if (segment instanceof Segment.Literal(String text) && literals.containsKey(text)) {
      found = literals.get(text).covering(others, take);
    }
    if (found.isEmpty() && !single.isEmpty() && isOneWhole(segment)) {
      found = single.getFirst().covering(others, take);
    }
    boolean leavesSomething = !others.isEmpty() || !segment.equals(Segment.NOTHING);
    return found.isEmpty() && leavesSomething ? take.apply(rest) : found;
  }

  private static boolean isOneWhole(Segment segment) {
    return !(segment instanceof Segment.Rest) && !segment.equals(Segment.NOTHING);
  }
}
