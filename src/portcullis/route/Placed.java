package portcullis.route;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import portcullis.source.LocatedText;

/**
 * One route of one rule in the index; immutable.
 *
 * @param segments those of its path
 * @param hosts the keys of its hosts
 * @param hostTexts what its hosts must fit besides
 */
record Placed<V>(String source, Entry<V> entry, Route route, List<Segment> segments, List<String> hosts,
    List<TextPattern> hostTexts) {
  /** All routes of a set, in the order written; equal segments become one, which is found in the processor's cache. */
  static <V> List<Placed<V>> all(RouteSet<V> set) {
    Map<Segment, Segment> shared = new HashMap<>();
    List<Placed<V>> out = new ArrayList<>();
    for (Entry<V> entry : set.entries()) {
      for (Route route : entry.routes()) {
        List<Segment> segments = new ArrayList<>();
        route.path().segments().forEach(segment -> segments.add(shared.computeIfAbsent(segment, s -> s)));
        out.add(new Placed<>(set.source(), entry, route, List.copyOf(segments), HostKeys.of(entry.conditions()),
            entry.conditions().hostTexts()));
      }
    }
    return out;
  }

  /** The match, if the conditions hold: scheme, methods, hosts, parameters. The path has been found to fit. */
  Optional<Match<V>> match(Asked asked) {
    Conditions conditions = entry.conditions();
    if (!conditions.scheme().has(asked.lookup().scheme()) || !conditions.methods().has(asked.lookup().method())
        || !asked.hostFits(hostTexts)) {
      return Optional.empty();
    }
    SequencedMap<String, String> captures = Segment.captures(segments, asked.path());
    return route.fits(captures, asked.lookup().path(), conditions.slashes())
        ? Optional.of(Match.of(entry.value(), route.path(), captures, conditions.slashes())) : Optional.empty();
  }

  /** Whether this, asked first, leaves nothing to the other, which has the same path and hosts. */
  boolean takesAllOf(Placed<V> other) {
    Conditions mine = entry.conditions();
    Conditions others = other.entry.conditions();
    return mine.scheme().covers(others.scheme()) && mine.methods().covers(others.methods())
        && (hostTexts.isEmpty() || hostTexts.equals(other.hostTexts))
        && (route.parameters().isEmpty() || mine.slashes() == others.slashes() && other.asksAllOf(route));
  }

  private boolean asksAllOf(Route earlier) {
    return earlier.parameters().stream().allMatch(p -> route.parameters().stream()
        .anyMatch(own -> own.name().equals(p.name()) && own.pattern().equals(p.pattern())));
  }

  LocatedText path() {
    return route.path().source();
  }

  /** As messages speak of it: {@code route `/a/:b` of rule `c`}. */
  String title() {
    return "route `" + path().text() + "` of rule `" + entry.id().text() + "`";
  }
}
