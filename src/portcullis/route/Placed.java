package portcullis.route;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import portcullis.source.LocatedText;

/**
 * One route of one rule in the index; immutable. What a lookup reads stands here itself or is shared by many routes, so that
 * few parts of the memory are touched.
 *
 * @param segments those of its path
 * @param hosts the keys of its hosts
 * @param terms what is asked besides its path
 */
record Placed<V>(String source, Entry<V> entry, Route route, V value, PathPattern path, List<Segment> segments,
    List<Capture> captures, List<String> hosts, Terms terms) implements Candidates<V> {
  /** What a route asks of a request whose path fits; the same for many. */
  record Terms(Scheme scheme, MethodSet methods, List<TextPattern> hostTexts, EncodedSlashes slashes, List<PathParameter> parameters) {
    boolean hold(Asked asked) {
      return scheme.has(asked.lookup().scheme()) && methods.has(asked.lookup().method()) && asked.hostFits(hostTexts);
    }
  }

  /** Makes equal parts of many routes one; for one thread. */
  static final class Sharing {
    private final Map<Object, Object> known = new HashMap<>();

    @SuppressWarnings("unchecked") // what equals it is of its class
    <T> T one(T part) {
      Object same = known.putIfAbsent(part, part);
      return same == null ? part : (T) same;
    }
  }

  /** All routes of a set, in the order written. */
  static <V> List<Placed<V>> all(RouteSet<V> set, Sharing sharing) {
    List<Placed<V>> out = new ArrayList<>();
    for (Entry<V> entry : set.entries()) {
      Conditions conditions = entry.conditions();
      for (Route route : entry.routes()) {
        Segment[] segments = route.path().segments().stream().map(sharing::one).toArray(Segment[]::new);
        Terms terms = sharing.one(new Terms(conditions.scheme(), conditions.methods(), conditions.hostTexts(), conditions.slashes(),
            route.parameters()));
        out.add(new Placed<>(set.source(), entry, route, entry.value(), route.path(), List.of(segments),
            sharing.one(Capture.all(route.path().segments())), sharing.one(HostKeys.of(conditions)), terms));
      }
    }
    return out;
  }

  @Override
  public Optional<Match<V>> first(Asked asked) {
    if (!terms.hold(asked)) {
      return Optional.empty();
    }
    SequencedMap<String, String> taken = Capture.taken(captures, asked.path());
    return Route.fits(terms.parameters(), taken, asked.lookup().path(), terms.slashes())
        ? Optional.of(Match.of(value, path, taken, terms.slashes())) : Optional.empty();
  }

  /** Whether this, asked first, leaves nothing to the other, which has the same path and hosts. */
  boolean takesAllOf(Placed<V> other) {
    return terms.scheme().covers(other.terms.scheme()) && terms.methods().covers(other.terms.methods())
        && (terms.hostTexts().isEmpty() || terms.hostTexts().equals(other.terms.hostTexts()))
        && (route.parameters().isEmpty() || terms.slashes() == other.terms.slashes() && other.asksAllOf(route));
  }

  private boolean asksAllOf(Route earlier) {
    return earlier.parameters().stream().allMatch(p -> route.parameters().stream()
        .anyMatch(own -> own.name().equals(p.name()) && own.pattern().equals(p.pattern())));
  }

  /** The path as it was written. */
  LocatedText written() {
    return path.source();
  }

  /** As messages speak of it: {@code route `/a/:b` of rule `c`}. */
  String title() {
    return "route `" + written().text() + "` of rule `" + entry.id().text() + "`";
  }
}
