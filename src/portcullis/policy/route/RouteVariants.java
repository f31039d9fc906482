package portcullis.policy.route;

import java.util.List;

/**
 * The tables of one list of routes for all ways to compare; each but the exact one is built when it is first needed.
 * Thread safe.
 */
final class RouteVariants<V> {
  private final List<IndexedRoute<V>> routes;
  private final boolean namesHosts;
  private final boolean namesPorts;
  private final RouteTable<V> exact;
  private final RouteTable<V>[] others;
  private volatile Capitals capitals = Capitals.UNKNOWN;

  private enum Capitals {
    UNKNOWN, NONE, SOME
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of tables of V alone
  RouteVariants(List<IndexedRoute<V>> routes) {
    this.routes = routes;
    this.exact = RouteTable.of(routes);
    this.others = new RouteTable[4];
    this.namesHosts = routes.stream().anyMatch(IndexedRoute::namesHosts);
    this.namesPorts = namesHosts && routes.stream().anyMatch(IndexedRoute::namesPorts);
  }

  RouteTable<V> exact() {
    return exact;
  }

  /** Returns whether any route is for some hosts only. */
  boolean namesHosts() {
    return namesHosts;
  }

  /** Returns whether any of the hosts has a port. */
  boolean namesPorts() {
    return namesPorts;
  }

  /** Returns whether a path without capitals may find another route where letter case makes no difference. */
  boolean hasCapitals() {
    if (capitals == Capitals.UNKNOWN) {
      capitals = routes.stream().anyMatch(IndexedRoute::hasCapitals) ? Capitals.SOME : Capitals.NONE;
    }
    return capitals == Capitals.SOME;
  }

  RouteTable<V> table(Comparison how) {
    Comparison needed = new Comparison(how.anyCase(), how.anyPort() && namesPorts);
    return needed.equals(Comparison.EXACT) ? exact : other(needed);
  }

  private synchronized RouteTable<V> other(Comparison how) {
    if (others[how.number()] == null) {
      others[how.number()] = RouteTable.of(routes.stream().map(placed -> placed.compared(how)).toList());
    }
    return others[how.number()];
  }
}
