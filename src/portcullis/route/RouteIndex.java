package portcullis.route;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import portcullis.source.Problems;

/**
 * Finds the most specific route for a request: first by host, then by path, then in the order written. Immutable; any
 * number of threads may ask. A lookup takes time by the length of host and path, not by the number of rules.
 */
public final class RouteIndex<V> {
  private final SequencedMap<String, RouteSet<V>> sets;
  private final Map<String, PathTree<List<Placed<V>>>> hosts;

  private RouteIndex(SequencedMap<String, RouteSet<V>> sets) {
    this.sets = Collections.unmodifiableSequencedMap(sets);
    this.hosts = hosts(sets.values());
  }

  public static <V> RouteIndex<V> empty() {
    return new RouteIndex<>(new LinkedHashMap<>());
  }

  /**
   * This index with that set in place of what its source gave before; empty if something is wrong within the set or
   * with the sets of other sources. What may be meant otherwise is added to the problems as a warning.
   */
  public Optional<RouteIndex<V>> with(RouteSet<V> set, Problems problems) {
    return with(List.of(set), problems);
  }

  /** The same with several sets at once, all or nothing: much less work than one by one. */
  public Optional<RouteIndex<V>> with(List<RouteSet<V>> added, Problems problems) {
    Problems found = new Problems();
    SequencedMap<String, RouteSet<V>> all = new LinkedHashMap<>(sets);
    for (RouteSet<V> set : added) {
      new SetCheck<>(set, found).run();
      all.remove(set.source());
      all.put(set.source(), set);
    }
    RouteIndex<V> index = new RouteIndex<>(all);
    if (all.size() > 1) {
      new Conflicts<>(placed(all.values()), found).check();
    }
    problems.addAll(found);
    return found.hasErrors() ? Optional.empty() : Optional.of(index);
  }

  /** This index without the rules of that source. */
  public RouteIndex<V> without(String source) {
    SequencedMap<String, RouteSet<V>> left = new LinkedHashMap<>(sets);
    left.remove(source);
    return new RouteIndex<>(left);
  }

  /** The rule for a request, if there is one. A path without leading slash fits nothing. */
  public Optional<Match<V>> find(Lookup lookup) {
    if (!lookup.path().startsWith("/")) {
      return Optional.empty();
    }
    Asked asked = Asked.of(lookup);
    for (String host : asked.hostKeys()) {
      PathTree<List<Placed<V>>> paths = hosts.get(host);
      Optional<Match<V>> found = paths == null ? Optional.empty()
          : paths.fitting(asked.path(), candidates -> first(candidates, asked));
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
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

  private static <V> Map<String, PathTree<List<Placed<V>>>> hosts(Collection<RouteSet<V>> sets) {
    Map<String, List<Placed<V>>> byHost = new LinkedHashMap<>();
    for (Placed<V> placed : placed(sets)) {
      HostKeys.of(placed.entry().conditions())
          .forEach(key -> byHost.computeIfAbsent(key, _ -> new ArrayList<>()).add(placed));
    }
    Map<String, PathTree<List<Placed<V>>>> hosts = LinkedHashMap.newLinkedHashMap(byHost.size());
    byHost.forEach((host, routes) -> hosts.put(host, PathTree.of(routes, Placed::segments, List::copyOf)));
    return Map.copyOf(hosts);
  }

  private static <V> List<Placed<V>> placed(Collection<RouteSet<V>> sets) {
    List<Placed<V>> out = new ArrayList<>();
    for (RouteSet<V> set : sets) {
      for (Entry<V> entry : set.entries()) {
        entry.routes().forEach(route -> out.add(new Placed<>(set.source(), entry, route)));
      }
    }
    return out;
  }
}
