package portcullis.policy.route;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import portcullis.lang.source.Problems;

/**
 * Finds the most specific route for a request: first by host, then by path, then in the order written. Immutable; any
 * number of threads may ask. A lookup takes time by the length of host and path, not by the number of rules. Where
 * letter case or ports are to make no difference, a second index is built when it is first needed.
 */
public final class RouteIndex<V> {
  private final SequencedMap<String, List<IndexedRoute<V>>> sources;
  private final RouteVariants<V> routes;

  private RouteIndex(SequencedMap<String, List<IndexedRoute<V>>> sources) {
    this.sources = Collections.unmodifiableSequencedMap(sources);
    this.routes = new RouteVariants<>(flat(sources.values()));
  }

  public static <V> RouteIndex<V> empty() {
    return new RouteIndex<>(new LinkedHashMap<>());
  }

  /**
   * Returns an index in which each set replaces the earlier one of its source; all sets are added or none. Empty if a
   * set is invalid or conflicts with one of another source; ambiguous rules are reported as warnings.
   */
  public Optional<RouteIndex<V>> with(List<RouteSet<V>> sets, Problems problems) {
    return exchanged(List.of(), sets, problems);
  }

  /** Returns an index without the sources {@code gone}, to which the sets have been added as {@link #with} does. */
  public Optional<RouteIndex<V>> exchanged(Collection<String> gone, List<RouteSet<V>> sets, Problems problems) {
    Problems found = new Problems();
    SequencedMap<String, List<IndexedRoute<V>>> all = new LinkedHashMap<>(sources);
    all.keySet().removeAll(gone);
    IndexedRoute.Interner interner = new IndexedRoute.Interner();
    for (RouteSet<V> set : sets) {
      List<IndexedRoute<V>> routes = IndexedRoute.all(set, interner);
      RuleSetCheck<V> check = new RuleSetCheck<>(found);
      check.rules(set.entries());
      check.routes(routes);
      all.remove(set.source());
      all.put(set.source(), routes);
    }
    if (all.size() > 1) {
      new Conflicts<>(flat(all.values()), found).check();
    }
    problems.addAll(found);
    return found.hasErrors() ? Optional.empty() : Optional.of(new RouteIndex<>(all));
  }

  /** Returns what requests can be routed to, once for each rule, in the order of rule sets. */
  public Collection<V> values() {
    Map<List<String>, V> out = new LinkedHashMap<>();
    sources.values().forEach(routes -> routes
        .forEach(route -> out.putIfAbsent(List.of(route.source(), route.id().text()), route.value())));
    return out.values();
  }

  /**
   * Returns a request for each route and each of its hosts, in the order of rule sets; several where one is not for all
   * methods of the route.
   */
  public List<RouteSample<V>> samples() {
    List<IndexedRoute<V>> all = flat(sources.values());
    RouteSamples<V> samples = new RouteSamples<>(this, all);
    return all.stream().flatMap(route -> samples.of(route).stream()).toList();
  }

  /** Returns all routes in the order of rule sets, as they are written. */
  public List<ListedRoute<V>> listed() {
    return flat(sources.values()).stream().map(ListedRoute::of).toList();
  }

  /** Returns an index of the same routes with other values. */
  public RouteIndex<V> mapped(UnaryOperator<V> change) {
    Map<V, V> changed = new IdentityHashMap<>();
    SequencedMap<String, List<IndexedRoute<V>>> out = new LinkedHashMap<>();
    sources.forEach((source, routes) -> out.put(source,
        routes.stream().map(route -> route.with(changed.computeIfAbsent(route.value(), change))).toList()));
    return new RouteIndex<>(out);
  }

  /** Returns the paths of all routes, as written. */
  public Collection<String> paths() {
    return sources.values().stream().flatMap(List::stream).map(route -> route.written().text())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static <V> List<IndexedRoute<V>> flat(Collection<List<IndexedRoute<V>>> lists) {
    List<IndexedRoute<V>> out = new ArrayList<>();
    lists.forEach(out::addAll);
    return out;
  }

  /** Returns this index without the rules of these sources. */
  public RouteIndex<V> without(Collection<String> gone) {
    SequencedMap<String, List<IndexedRoute<V>>> left = new LinkedHashMap<>(sources);
    return left.keySet().removeAll(gone) ? new RouteIndex<>(left) : this;
  }

  /** Returns the rule for a request, if there is one. A path without leading slash fits nothing. */
  public Optional<Match<V>> find(Lookup lookup) {
    if (!lookup.path().startsWith("/")) {
      return Optional.empty();
    }
    return routes.exact().find(RouteQuery.of(lookup, Comparison.EXACT));
  }

  /**
   * Returns the rule for a request where it is compared that way. Captures are those of the path as it was compared.
   */
  public Optional<Match<V>> find(Lookup lookup, Comparison how) {
    return lookup.path().startsWith("/") ? routes.table(how).find(RouteQuery.of(lookup, how)) : Optional.empty();
  }

  /** Returns whether letter case may make a difference even to paths without capitals. */
  public boolean hasCapitals() {
    return routes.hasCapitals();
  }

  /**
   * Whether the port may make a difference to a request: rules are for some hosts only, and the request or one of them
   * names a port other than the scheme's own.
   */
  public boolean distinguishesPorts(String scheme, int port) {
    return routes.namesHosts() && (routes.namesPorts() || port != 0 && port != HostName.defaultPort(scheme));
  }
}
