package portcullis.policy.route;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.lang.source.LocatedText;

/**
 * One route of one rule in the index; immutable. What lookups and later comparisons do not need is not kept.
 *
 * @param id of the rule
 * @param written its path as it was written
 * @param head the literals that its path begins with, with the slash before a wildcard; never changed
 * @param hosts the keys of its hosts
 */
record IndexedRoute<V>(String source, LocatedText id, LocatedText written, V value, byte[] head, RouteShape<V> form,
    List<String> hosts)
    implements Candidates<V> {
  /** Makes equal parts of many routes one; for one thread. */
  static final class Interner {
    private final Map<Object, Object> known = new HashMap<>();

    @SuppressWarnings("unchecked") // what equals it is of its class
    <T> T intern(T part) {
      Object same = known.putIfAbsent(part, part);
      return same == null ? part : (T) same;
    }
  }

  /** Returns all routes of a set, in the order written. */
  static <V> List<IndexedRoute<V>> all(RouteSet<V> set, Interner interner) {
    List<IndexedRoute<V>> out = new ArrayList<>();
    for (RuleEntry<V> entry : set.entries()) {
      List<String> hosts = interner.intern(HostKeys.of(entry.conditions()));
      entry.routes().forEach(route -> out.add(of(set.source(), entry, route, hosts, interner)));
    }
    return List.copyOf(out);
  }

  private static <V> IndexedRoute<V> of(String source, RuleEntry<V> entry, Route route, List<String> hosts,
      Interner interner) {
    List<Segment> segments = route.path().segments();
    StringBuilder head = new StringBuilder("/");
    int literals = 0;
    while (literals < segments.size() && segments.get(literals) instanceof Segment.Literal(String text)) {
      head.append(text).append(++literals < segments.size() ? "/" : "");
    }
    Conditions conditions = entry.conditions();
    RouteShape.Terms terms = interner
        .intern(new RouteShape.Terms(conditions.scheme(), conditions.methods(), conditions.hostTexts(),
            conditions.slashes(),
            route.parameters()));
    RouteShape<V> form = new RouteShape<>(literals, List.copyOf(segments.subList(literals, segments.size())),
        Capture.all(segments),
        terms);
    return new IndexedRoute<>(source, entry.id(), route.path().source(), entry.value(), Octets.of(head.toString()),
        interner.intern(form), hosts);
  }

  IndexedRoute<V> with(V other) {
    return new IndexedRoute<>(source, id, written, other, head, form, hosts);
  }

  /** Returns the route for another comparison: paths in lower case, hosts without their ports. */
  IndexedRoute<V> compared(Comparison how) {
    byte[] folded = how.anyCase() ? Octets.of(CaseFolding.folded(new String(head, StandardCharsets.ISO_8859_1))) : head;
    return new IndexedRoute<>(source, id, written, value, folded, how.anyCase() ? form.ignoringCase() : form,
        how.anyPort() ? hosts.stream().map(HostKeys::portless).distinct().toList() : hosts);
  }

  /** Returns whether it may take a path without capitals only where letter case makes no difference. */
  boolean hasCapitals() {
    String text = new String(head, StandardCharsets.ISO_8859_1);
    return !CaseFolding.folded(text).equals(text) || !form.terms().parameters().isEmpty()
        || !form.ignoringCase().tail().equals(form.tail());
  }

  boolean namesHosts() {
    return !hosts.equals(HostKeys.ANY_ONLY) || !form.terms().hostTexts().isEmpty();
  }

  boolean namesPorts() {
    return hosts.stream().anyMatch(HostKeys::namesPort);
  }

  /** Returns those of its path; put together for each call. */
  List<Segment> segments() {
    List<Segment> out = new ArrayList<>();
    for (int from = 1; out.size() < form.literals(); from = slash(from) + 1) {
      out.add(new Segment.Literal(new String(head, from, slash(from) - from, StandardCharsets.ISO_8859_1)));
    }
    out.addAll(form.tail());
    return out;
  }

  /** Returns the head from one of its literals on. */
  byte[] headFrom(int literal) {
    int from = 1;
    for (int i = 0; i < literal; i++) {
      from = slash(from) + 1;
    }
    return Arrays.copyOfRange(head, from, head.length);
  }

  private int slash(int from) {
    int at = from;
    while (at < head.length && head[at] != '/') {
      at++;
    }
    return at;
  }

  @Override
  public boolean fit(SplitPath path) {
    return path.beginsWith(head) && form.fits(path, head.length);
  }

  @Override
  public Optional<Match<V>> first(RouteQuery query) {
    return form.match(query, value, written);
  }

  /** Returns whether this, tried first, leaves nothing to the other, which has the same path and hosts. */
  boolean takesAllOf(IndexedRoute<V> other) {
    return form.terms().cover(other.form.terms());
  }

  /** Returns the name in messages: {@code route `/a/:b` of rule `c`}. */
  String title() {
    return "route `" + written.text() + "` of rule `" + id.text() + "`";
  }
}
