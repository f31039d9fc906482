package portcullis.route;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import portcullis.source.LocatedText;
import portcullis.source.Problems;

/**
 * Finds routes of different sources of which one fits every host and path that the other fits; scheme, methods and
 * parameters make no difference. Routes that only cross, as {@code /a/:x/c} and {@code /a/b/:y}, are none.
 */
final class Conflicts<V> {
  private static final int MOST_REPORTED = 20;

  private final Map<String, PathNode<V>> hosts;
  private final Map<String, Integer> order = new HashMap<>();
  private final Problems problems;
  private final Set<List<LocatedText>> reported = new HashSet<>();

  /** For an index and its sources in the order they came. */
  Conflicts(Map<String, PathNode<V>> hosts, List<String> sources, Problems problems) {
    this.hosts = hosts;
    this.problems = problems;
    sources.forEach(source -> order.put(source, order.size()));
  }

  void check(List<Placed<V>> routes) {
    if (order.size() < 2) {
      return;
    }
    for (Placed<V> placed : routes) {
      covering(placed).ifPresent(other -> report(placed, other));
    }
  }

  private Optional<Placed<V>> covering(Placed<V> placed) {
    List<Segment> segments = placed.route().path().segments();
    for (String host : HostKeys.of(placed.entry().conditions())) {
      for (String wider : HostKeys.covering(host)) {
        PathNode<V> node = hosts.get(wider);
        Optional<Placed<V>> found = node == null ? Optional.empty() : node.covering(segments, placed.source());
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  /** At the one that came later, once for both directions. */
  private void report(Placed<V> one, Placed<V> two) {
    boolean oneIsLater = order.get(one.source()) > order.get(two.source());
    Placed<V> later = oneIsLater ? one : two;
    Placed<V> earlier = oneIsLater ? two : one;
    if (reported.size() < MOST_REPORTED && reported.add(List.of(later.path(), earlier.path()))) {
      problems.error(Places.of(later.path()), later.path().path(), later.title() + " is in conflict with " + earlier.title()
          + Places.named(earlier.path()), "keep rules that share hosts and paths in one rule set");
    }
  }
}
