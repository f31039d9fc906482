package portcullis.policy.route;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.lang.source.LocatedText;

/** Finds a request for each route and host of an index that reaches this route; for one thread. */
final class RouteSamples<V> {
  /** Tried where other routes take all usual ones of a route for all methods. */
  private static final List<String> UNUSUAL = List.of("HEAD", "OPTIONS", "PURGE", "X-OTHER");
  /** The number of lookups of all routes; from then on only the first requests are tried. */
  private static final int MOST_LOOKUPS = 2_000_000;
  private static final int FIRST = 4;
  /** The number of requests that may be for all methods of a route, before some are looked for of which each is not. */
  private static final int FIRST_WHOLE = 12;

  private final RouteIndex<V> index;
  /** The routes of a value by their paths. */
  private final Map<V, Map<LocatedText, List<IndexedRoute<V>>>> routes = new IdentityHashMap<>();
  private int lookups;

  RouteSamples(RouteIndex<V> index, List<IndexedRoute<V>> all) {
    this.index = index;
    all.forEach(route -> routes.computeIfAbsent(route.value(), _ -> new HashMap<>())
        .computeIfAbsent(route.written(), _ -> new ArrayList<>()).add(route));
  }

  List<RouteSample<V>> of(IndexedRoute<V> route) {
    return route.hosts().stream().flatMap(key -> new Search(route, key).samples().stream()).toList();
  }

  /** The search for requests of one route and host. */
  private final class Search {
    private final IndexedRoute<V> route;
    private final String key;
    private final MethodSet methods;
    private final RequestCandidates candidates;
    private final List<RouteSample<V>> out = new ArrayList<>();

    Search(IndexedRoute<V> route, String key) {
      this.route = route;
      this.key = key;
      this.methods = route.form().terms().methods();
      this.candidates = RequestCandidates.of(route, key);
    }

    List<RouteSample<V>> samples() {
      List<String> names = methods.isAny() ? RouteSample.USUAL : methods.names().stream().sorted().toList();
      RequestCandidates.Request first = candidates.first();
      if (!candidates.unknown().isEmpty()) {
        return List.of(sample(first, names, false));
      }
      Optional<RequestCandidates.Request> whole = candidates.requests()
          .limit(lookups > MOST_LOOKUPS ? FIRST : FIRST_WHOLE)
          .filter(request -> names.stream().allMatch(method -> isOwn(winner(request, method)))).findFirst();
      if (whole.isPresent()) {
        return List.of(sample(whole.get(), names, false));
      }
      List<String> left = tried(names);
      List<String> unusual = methods.isAny() && out.isEmpty() ? tried(UNUSUAL) : List.of();
      if (!left.isEmpty()) {
        out.add(sample(first, out.isEmpty() ? names : left, false));
      } else if (out.isEmpty()) {
        out.add(sample(first, names, unusual.isEmpty()));
      }
      return out;
    }

    /**
     * Adds samples of requests that reach the route; returns the methods that none was found for, without those of
     * which other routes leave nothing to this one.
     */
    private List<String> tried(List<String> names) {
      List<String> left = new ArrayList<>(names);
      Iterator<RequestCandidates.Request> requests = candidates.requests().iterator();
      for (int number = 0; requests.hasNext() && !left.isEmpty()
          && (number < FIRST || lookups <= MOST_LOOKUPS); number++) {
        RequestCandidates.Request request = requests.next();
        List<String> won = new ArrayList<>();
        List<String> taken = new ArrayList<>();
        for (String method : left) {
          Optional<Match<V>> winner = winner(request, method);
          if (isOwn(winner)) {
            won.add(method);
          } else if (winner.filter(match -> takesAll(match, request, method)).isPresent()) {
            taken.add(method);
          }
        }
        if (!won.isEmpty()) {
          out.add(sample(request, won, false));
        }
        left.removeAll(won);
        left.removeAll(taken);
      }
      return left;
    }

    private boolean isOwn(Optional<Match<V>> winner) {
      return winner.filter(match -> match.value() == route.value()).isPresent();
    }

    private Optional<Match<V>> winner(RequestCandidates.Request request, String method) {
      lookups++;
      return index.find(Lookup.of(request.scheme(), method, request.host(), request.path()));
    }

    /**
     * Returns whether the route of another rule that takes this request takes all requests with this method of this
     * route: where both are for a request the same one is tried first. An unusual method stands for all others.
     */
    private boolean takesAll(Match<V> match, RequestCandidates.Request request, String method) {
      return routes.getOrDefault(match.value(), Map.of()).getOrDefault(match.path(), List.of()).stream()
          .filter(other -> UNUSUAL.contains(method) && methods.isAny() ? other.form().terms().methods().isAny()
              : other.form().terms().methods().has(method))
          .anyMatch(other -> HostKeys.covering(request.host()).stream().filter(other.hosts()::contains).findFirst()
              .filter(key::equals).isPresent() && RouteCover.coversButMethods(other, route));
    }

    private RouteSample<V> sample(RequestCandidates.Request request, List<String> some, boolean taken) {
      return new RouteSample<>(route.value(), route.written(), some, methods.isAny(), request.scheme(), request.host(),
          request.segments(), candidates.captures(), candidates.unknown(),
          winner(request, some.getFirst()).map(Match::value), taken);
    }
  }
}
