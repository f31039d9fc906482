package portcullis.route;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The routes of one host whose paths begin alike, by their next segment; immutable. Within one node the order written
 * decides.
 *
 * @param single what follows a single wildcard here; none or one
 * @param rest those that take all from here on
 * @param end those that end here
 */
record PathNode<V>(Map<String, PathNode<V>> literals, List<PathNode<V>> single, List<Placed<V>> rest,
    List<Placed<V>> end) {
  static <V> PathNode<V> of(List<Placed<V>> routes) {
    return at(0, routes);
  }

  private static <V> PathNode<V> at(int depth, List<Placed<V>> routes) {
    Map<String, List<Placed<V>>> literals = new LinkedHashMap<>();
    List<Placed<V>> single = new ArrayList<>();
    List<Placed<V>> rest = new ArrayList<>();
    List<Placed<V>> end = new ArrayList<>();
    for (Placed<V> placed : routes) {
      List<Segment> segments = placed.route().path().segments();
      if (depth == segments.size()) {
        end.add(placed);
      } else {
        switch (segments.get(depth)) {
          case Segment.Literal(String text) -> literals.computeIfAbsent(text, _ -> new ArrayList<>()).add(placed);
          case Segment.Single _ -> single.add(placed);
          case Segment.Rest _ -> rest.add(placed);
        }
      }
    }
    Map<String, PathNode<V>> below = LinkedHashMap.newLinkedHashMap(literals.size());
    literals.forEach((text, placed) -> below.put(text, at(depth + 1, placed)));
    return new PathNode<>(Map.copyOf(below), single.isEmpty() ? List.of() : List.of(at(depth + 1, single)),
        List.copyOf(rest), List.copyOf(end));
  }

  /** The first that fits: literals before single wildcards before free ones, with every way tried to its end. */
  Optional<Match<V>> find(Asked asked) {
    return find(asked, 0);
  }

  private Optional<Match<V>> find(Asked asked, int depth) {
    if (depth == asked.path().size()) {
      return first(end, asked);
    }
    String segment = asked.path().segment(depth);
    PathNode<V> literal = literals.get(segment);
    Optional<Match<V>> found = literal == null ? Optional.empty() : literal.find(asked, depth + 1);
    if (found.isEmpty() && !single.isEmpty() && !segment.isEmpty()) {
      found = single.getFirst().find(asked, depth + 1);
    }
    return found.isEmpty() && !asked.path().endsBefore(depth) ? first(rest, asked) : found;
  }

  private static <V> Optional<Match<V>> first(List<Placed<V>> candidates, Asked asked) {
    for (Placed<V> candidate : candidates) {
      Optional<Match<V>> match = candidate.match(asked);
      if (match.isPresent()) {
        return match;
      }
    }
    return Optional.empty();
  }

  /** One of another source that fits every path that this pattern fits. */
  Optional<Placed<V>> covering(List<Segment> segments, String source) {
    if (segments.isEmpty()) {
      return ofOther(end, source);
    }
    List<Segment> others = segments.subList(1, segments.size());
    Optional<Placed<V>> found = switch (segments.getFirst()) {
      case Segment.Literal(String text) -> {
        PathNode<V> literal = literals.get(text);
        Optional<Placed<V>> below = literal == null ? Optional.empty() : literal.covering(others, source);
        yield below.isEmpty() && !text.isEmpty() ? singleCovering(others, source) : below;
      }
      case Segment.Single _ -> singleCovering(others, source);
      case Segment.Rest _ -> Optional.empty();
    };
    boolean leavesNothing = segments.size() == 1 && segments.getFirst().equals(new Segment.Literal(""));
    return found.isEmpty() && !leavesNothing ? ofOther(rest, source) : found;
  }

  private Optional<Placed<V>> singleCovering(List<Segment> others, String source) {
    return single.isEmpty() ? Optional.empty() : single.getFirst().covering(others, source);
  }

  /** Those of one source stand together, so that a second source shows at one of the ends. */
  private static <V> Optional<Placed<V>> ofOther(List<Placed<V>> placed, String source) {
    if (placed.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(placed.getFirst()).filter(p -> !p.source().equals(source))
        .or(() -> Optional.of(placed.getLast()).filter(p -> !p.source().equals(source)));
  }
}
