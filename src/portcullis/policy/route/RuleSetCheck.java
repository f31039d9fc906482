package portcullis.policy.route;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;

/** Looks for what is wrong among the rules of one set; used once. */
final class RuleSetCheck<V> {
  /** With more rules of one path than this, the later ones are not compared with all. */
  private static final int MOST_COMPARED = 64;

  private final Problems problems;
  private final Map<String, List<IndexedRoute<V>>> places = new HashMap<>();

  RuleSetCheck(Problems problems) {
    this.problems = problems;
  }

  /** Each rule has an id of its own, and routes. */
  void rules(List<RuleEntry<V>> entries) {
    Map<String, LocatedText> ids = new HashMap<>();
    for (RuleEntry<V> entry : entries) {
      LocatedText id = entry.id();
      LocatedText earlier = ids.putIfAbsent(id.text(), id);
      if (earlier != null) {
        problems.error(Origins.of(id), id.path(),
            "there is a rule `" + id.text() + "` already" + Origins.named(earlier),
            "give each rule of a set its own id");
      }
      if (entry.routes().isEmpty()) {
        problems.warning(Origins.of(id), id.path(), "rule `" + id.text() + "` is never reached: it has no routes",
            "add the paths it is for");
      }
    }
  }

  /** The routes, in the order written, have the same names on one path, and each is reached. */
  void routes(List<IndexedRoute<V>> routes) {
    routes.forEach(this::check);
  }

  private void check(IndexedRoute<V> placed) {
    String shape = shape(placed);
    List<List<IndexedRoute<V>>> earlier = new ArrayList<>();
    for (String host : placed.hosts()) {
      List<IndexedRoute<V>> there = places.computeIfAbsent(host + shape, _ -> new ArrayList<>(1));
      if (!there.isEmpty()) {
        earlier.add(List.copyOf(there.subList(0, Math.min(there.size(), MOST_COMPARED))));
      }
      there.add(placed);
    }
    earlier.stream().map(List::getFirst).filter(first -> namesDiffer(first, placed)).findFirst()
        .ifPresent(first -> ambiguous(first, placed));
    List<IndexedRoute<V>> takers = earlier.stream()
        .map(there -> there.stream().filter(e -> e.takesAllOf(placed)).findFirst())
        .flatMap(Optional::stream).toList();
    if (!takers.isEmpty() && takers.size() == placed.hosts().size()) {
      unreachable(takers.getFirst(), placed);
    }
  }

  /** Returns the path without the names of its wildcards; no literal has a slash. */
  private static String shape(IndexedRoute<?> placed) {
    StringBuilder out = new StringBuilder();
    for (Segment segment : placed.segments()) {
      out.append(switch (segment) {
        case Segment.Literal(String text) -> "/" + text;
        case Segment.Single _ -> "//:";
        case Segment.Rest _ -> "//*";
      });
    }
    return out.toString();
  }

  /** The reference accepts other names before the same free wildcard, so they are accepted here. */
  private static boolean namesDiffer(IndexedRoute<?> earlier, IndexedRoute<?> later) {
    List<Segment> one = earlier.segments();
    List<Segment> two = later.segments();
    boolean free = !one.isEmpty() && one.getLast() instanceof Segment.Rest;
    for (int i = free ? one.size() - 1 : 0; i < one.size(); i++) {
      String name = one.get(i).capture();
      String other = two.get(i).capture();
      if (!name.equals(other) && !name.equals(Segment.UNNAMED) && !other.equals(Segment.UNNAMED)) {
        return true;
      }
    }
    return false;
  }

  private void ambiguous(IndexedRoute<V> earlier, IndexedRoute<V> later) {
    problems.error(Origins.of(later.written()), later.written().path(), later.title() + " is the same path as "
        + earlier.title() + Origins.named(earlier.written()) + " with other names", "use the same names");
  }

  private void unreachable(IndexedRoute<V> earlier, IndexedRoute<V> later) {
    problems.warning(Origins.of(later.written()), later.written().path(), later.title() + " is never reached: "
        + earlier.title() + Origins.named(earlier.written()) + " comes first and takes all",
        "remove it, or put it first");
  }
}
