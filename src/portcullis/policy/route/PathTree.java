package portcullis.policy.route;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Things by path patterns: a fork for every beginning that different patterns share, a tail where one goes on alone. A
 * search visits each at most once, in the order of precedence: literals before single wildcards before free ones, each
 * way to its end. Immutable.
 */
sealed interface PathTree<T> permits PathFork, PathTail {
  /**
   * Returns what {@code take} first makes of a thing whose pattern, from that segment on, fits all that the given one
   * fits.
   */
  <R> Optional<R> covering(List<Segment> pattern, int depth, Function<T, Optional<R>> take);

  /**
   * Puts items into a tree; those of one pattern are gathered to one thing, in the order given.
   *
   * @param pattern returns the pattern of an item
   */
  static <E, T> PathTree<T> of(List<E> items, Function<E, List<Segment>> pattern, Function<List<E>, T> gathered) {
    List<Item<E>> all = items.stream().map(item -> new Item<>(pattern.apply(item), item)).toList();
    return new Builder<>(gathered, new HashMap<>()).tree(0, all);
  }

  /** An item that is put into a tree. */
  record Item<E>(List<Segment> pattern, E thing) {}

  /** Groups items by their segments; many share all segments after the distinguishing ones. */
  record Builder<E, T>(Function<List<E>, T> gathered, Map<List<Segment>, List<Segment>> rests) {
    private PathTree<T> tree(int depth, List<Item<E>> items) {
      if (areOfOnePattern(items)) {
        List<Segment> whole = items.getFirst().pattern();
        List<Segment> rest = List.copyOf(whole.subList(depth, whole.size()));
        return new PathTail<>(rests.computeIfAbsent(rest, r -> r), gathered(items));
      }
      Map<String, List<Item<E>>> literals = new HashMap<>();
      List<Item<E>> single = new ArrayList<>();
      List<Item<E>> rest = new ArrayList<>();
      List<Item<E>> end = new ArrayList<>();
      for (Item<E> item : items) {
        List<Item<E>> group = depth == item.pattern().size() ? end : switch (item.pattern().get(depth)) {
          case Segment.Literal(String text) -> literals.computeIfAbsent(text, _ -> new ArrayList<>(1));
          case Segment.Single _ -> single;
          case Segment.Rest _ -> rest;
        };
        group.add(item);
      }
      Map<String, PathTree<T>> below = HashMap.newHashMap(literals.size());
      literals.forEach((text, group) -> below.put(text, tree(depth + 1, group)));
      return new PathFork<>(below, single.isEmpty() ? List.of() : List.of(tree(depth + 1, single)), things(rest),
          things(end));
    }

    private static boolean areOfOnePattern(List<? extends Item<?>> items) {
      return !items.isEmpty() && items.stream().allMatch(item -> item.pattern().equals(items.getFirst().pattern()));
    }

    private List<T> things(List<Item<E>> group) {
      return group.isEmpty() ? List.of() : List.of(gathered(group));
    }

    private T gathered(List<Item<E>> group) {
      return gathered.apply(group.stream().map(Item::thing).toList());
    }
  }
}
