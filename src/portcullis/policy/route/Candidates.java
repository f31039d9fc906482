package portcullis.policy.route;

import java.util.List;
import java.util.Optional;

/** The routes of one path, in the order in which they are tried; immutable. */
sealed interface Candidates<V> extends RouteNode<V> permits IndexedRoute, Candidates.Several {
  /** Returns whether the path fits the one that all of them have. */
  boolean fit(SplitPath path);

  /**
   * The match of the first whose conditions hold: scheme, methods, hosts, parameters. The path has been found to fit.
   */
  Optional<Match<V>> first(RouteQuery query);

  static <V> Candidates<V> of(List<IndexedRoute<V>> routes) {
    return routes.size() == 1 ? routes.getFirst() : new Several<>(List.copyOf(routes));
  }

  /** More than one. */
  record Several<V>(List<IndexedRoute<V>> routes) implements Candidates<V> {
    @Override
    public boolean fit(SplitPath path) {
      return routes.getFirst().fit(path);
    }

    @Override
    public Optional<Match<V>> first(RouteQuery query) {
      for (IndexedRoute<V> candidate : routes) {
        Optional<Match<V>> match = candidate.first(query);
        if (match.isPresent()) {
          return match;
        }
      }
      return Optional.empty();
    }
  }
}
