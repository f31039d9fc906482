package portcullis.policy.route;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;

/**
 * Finds routes of different sources that claim the same requests: of their hosts one takes all that the other takes,
 * and of their paths too; scheme, methods and parameters make no difference. Paths that only cross, as
 * {@code /a/:x/c} and {@code /a/b/:y}, are none. Used once.
 */
final class Conflicts<V> {
  private static final int MOST_REPORTED = 20;

  private final List<IndexedRoute<V>> routes;
  private final Problems problems;
  private final Map<String, Integer> order = new HashMap<>();
  private final Set<List<LocatedText>> reported = new HashSet<>();

  /** For all routes, those of sources that came earlier first. */
  Conflicts(List<IndexedRoute<V>> routes, Problems problems) {
    this.routes = routes;
    this.problems = problems;
    routes.forEach(placed -> order.putIfAbsent(placed.source(), order.size()));
  }

  void check() {
    PathTree<HostClaims<V>> paths = PathTree.of(routes, IndexedRoute::segments, HostClaims::new);
    for (IndexedRoute<V> placed : routes) {
      paths.covering(placed.segments(), 0, claims -> claims.against(placed))
          .ifPresent(other -> report(placed, other));
    }
  }

  /** Reports a conflict at the later route, once for both directions. */
  private void report(IndexedRoute<V> one, IndexedRoute<V> two) {
    boolean oneIsLater = order.get(one.source()) > order.get(two.source());
    IndexedRoute<V> later = oneIsLater ? one : two;
    IndexedRoute<V> earlier = oneIsLater ? two : one;
    if (reported.size() < MOST_REPORTED && reported.add(List.of(later.written(), earlier.written()))) {
      problems.error(Origins.of(later.written()), later.written().path(), later.title() + " is in conflict with "
          + earlier.title() + Origins.named(earlier.written()),
          "keep rules that share hosts and paths in one rule set");
    }
  }
}
