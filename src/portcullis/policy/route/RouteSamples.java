package portcullis.policy.route;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Predicate;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;

/** Finds a request for each route and host of an index. */
final class RouteSamples<V> {
  private static final List<String> USUAL = List.of("GET", "POST", "PUT", "PATCH", "DELETE");
  /**
   * The segments put in place of wildcards without condition, of which one is chosen that no literal of another route
   * equals.
   */
  private static final List<String> FILLS = List.of("1", "x7", "witness");
  /** Tried for regular expressions. */
  private static final List<String> GUESSES = List.of("1", "a", "42", "2026", "abc", "A", "a1", "x-1", "abc123",
      "v1", "v1.0", "admin", "user", "app.example", "api.app.example", "localhost", "1.2.3",
      "00000000-0000-4000-8000-000000000000", "2026-01-31", "a@app.example", "index.html", "a.js", "a.css", "a.png",
      "a/b");

  private final RouteIndex<V> index;

  RouteSamples(RouteIndex<V> index) {
    this.index = index;
  }

  List<RouteSample<V>> of(IndexedRoute<V> route) {
    List<RouteSample<V>> out = new ArrayList<>();
    for (String key : route.hosts()) {
      RouteSample<V> best = sample(route, key, FILLS.getFirst());
      for (int i = 1; i < FILLS.size() && !wins(best); i++) {
        RouteSample<V> next = sample(route, key, FILLS.get(i));
        best = wins(next) ? next : best;
      }
      out.add(best);
    }
    return out;
  }

  private boolean wins(RouteSample<V> sample) {
    return sample.winner().filter(winner -> winner == sample.value()).isPresent();
  }

  private RouteSample<V> sample(IndexedRoute<V> route, String key, String fill) {
    RouteShape.Terms terms = route.form().terms();
    StringBuilder unknown = new StringBuilder();
    List<Segment> pattern = route.segments();
    List<String> segments = new ArrayList<>();
    SequencedMap<String, Integer> captures = new LinkedHashMap<>();
    for (int i = 0; i < pattern.size(); i++) {
      Segment segment = pattern.get(i);
      if (segment instanceof Segment.Literal(String text)) {
        segments.add(text);
        continue;
      }
      segments.add(filled(segment.capture(), terms.parameters(), fill, unknown));
      if (!segment.capture().equals(Segment.UNNAMED)) {
        captures.put(segment.capture(), i);
      }
    }
    MethodSet methods = terms.methods();
    List<String> names = methods.isAny() ? USUAL : methods.names().stream().sorted().toList();
    String scheme = terms.scheme() == Scheme.HTTP ? "http" : "https";
    String host = host(key, terms.hostTexts(), unknown);
    String path = "/" + String.join("/", segments);
    Optional<V> winner = index.find(Lookup.of(scheme, names.getFirst(), host, path)).map(Match::value);
    return new RouteSample<>(route.value(), route.written(), names, methods.isAny(), scheme, host, segments, captures,
        unknown.toString(), winner);
  }

  private static String filled(String capture, List<PathParameter> parameters, String fill, StringBuilder unknown) {
    List<PathParameter> conditions = parameters.stream().filter(p -> p.name().equals(capture)).toList();
    if (conditions.isEmpty()) {
      return fill;
    }
    Predicate<String> fits = text -> conditions.stream().allMatch(p -> p.pattern().matches(text));
    Optional<String> found = found(conditions.stream().map(PathParameter::pattern).toList(), fits);
    if (found.isEmpty()) {
      unknown.append(unknown.isEmpty() ? "" : ", ").append("a value of `").append(capture).append('`');
    }
    return found.orElse(fill);
  }

  private static String host(String key, List<StringPattern> texts, StringBuilder unknown) {
    String host = key.equals(HostKeys.ANY) ? "app.example" : key.startsWith("*.") ? "any" + key.substring(1) : key;
    if (texts.isEmpty() || texts.stream().anyMatch(p -> p.matches(host))) {
      return host;
    }
    Optional<String> found = key.equals(HostKeys.ANY)
        ? found(texts, text -> texts.stream().anyMatch(p -> p.matches(text)))
        : Optional.empty();
    if (found.isEmpty()) {
      unknown.append(unknown.isEmpty() ? "" : ", ").append("a host");
    }
    return found.orElse(host);
  }

  private static Optional<String> found(List<StringPattern> patterns, Predicate<String> fits) {
    List<String> candidates = new ArrayList<>();
    patterns.forEach(pattern -> {
      switch (pattern) {
        case StringPattern.Exact(String value) -> candidates.add(value);
        case StringPattern.Globbed(Glob glob) -> glob.sample().ifPresent(candidates::add);
        case StringPattern.Found found -> {
          String plain = found.regex().toString().replaceAll("\\(\\?[a-z]+\\)|[\\^$]", "").replace("\\", "");
          candidates.add(plain);
          candidates.add(plain.replaceAll("[(]([^|()]*)[^()]*[)]", "$1"));
          candidates.addAll(GUESSES);
        }
      }
    });
    return candidates.stream().filter(text -> !text.isEmpty()).filter(fits).findFirst();
  }

  /** Returns a string that a glob takes; empty where a class takes everything but what it names. */
  static Optional<String> sample(String glob) {
    StringBuilder out = new StringBuilder();
    boolean good = new GlobParser(LocatedText.of("", glob), new Problems()).parse()
        .filter(parts -> write(parts, out)).isPresent();
    return good ? Optional.of(out.toString()) : Optional.empty();
  }

  private static boolean write(List<GlobPart> parts, StringBuilder out) {
    for (GlobPart part : parts) {
      switch (part) {
        case GlobPart.One(int c) -> out.appendCodePoint(c);
        case GlobPart.AnyCharacter() -> out.append('x');
        case GlobPart.AnySequence(boolean _) -> out.append('x');
        case GlobPart.OneOf(String characters, boolean negated) -> out.append(negated ? 'x' : characters.charAt(0));
        case GlobPart.CharacterRange(int low, int _, boolean negated) -> out.appendCodePoint(negated ? 'x' : low);
        case GlobPart.Choice(List<List<GlobPart>> alternatives) -> {
          if (alternatives.isEmpty() || !write(alternatives.getFirst(), out)) {
            return false;
          }
        }
      }
    }
    return true;
  }
}
