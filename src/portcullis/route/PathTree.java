package portcullis.route;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Things by path patterns: a fork for every beginning that patterns share, a tail where one goes on alone. A search
 * visits each at most once, in the order of precedence: literals before single wildcards before free ones, each way to
 * its end. Immutable.
 */
sealed interface PathTree<T> permits PathFork, PathTail {
  /** What {@code take} first makes of a thing whose pattern fits the path from that segment on. */
  <R> Optional<R> fitting(SplitPath path, int depth, Function<T, Optional<R>> take);

  /** What {@code take} first makes of a thing whose pattern, from that segment on, fits all that the given one fits. */
  <R> Optional<R> covering(List<Segment> pattern, int depth, Function<T, Optional<R>> take);

  /**
   * Puts items into a tree; those of one pattern are gathered to one thing, in the order given.
   *
   * @param pattern tells the pattern of an item
   */
  static <E, T> PathTree<T> of(List<E> items, Function<E, List<Segment>> pattern, Function<List<E>, T> gathered) {
    return new Builder<>(pattern, gathered, new HashMap<>()).tree(0, items);
  }

  /** Parts items by their segments; many have the same ones behind those that tell them apart. */
  record Builder<E, T>(Function<E, List<Segment>> pattern, Function<List<E>, T> gathered, Map<List<Segment>, List<Segment>> rests) {
    private PathTree<T> tree(int depth, List<E> items) {
      if (items.size() == 1) {
        List<Segment> whole = pattern.apply(items.getFirst());
        List<Segment> rest = List.copyOf(whole.subList(depth, whole.size()));
        return new PathTail<>(rests.computeIfAbsent(rest, r -> r), gathered.apply(items));
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
      return new PathFork<>(Map.copyOf(below), single.isEmpty() ? List.of() : List.of(tree(depth + 1, single)), things(rest),
          things(end));
    }

    private List<T> things(List<E> group) {
      return group.isEmpty() ? List.of() : List.of(gathered.apply(group));
    }
  }
}
