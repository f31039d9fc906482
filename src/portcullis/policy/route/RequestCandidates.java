package portcullis.policy.route;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import portcullis.lang.regex.Combinations;
import portcullis.lang.regex.RegexSamples;

/**
 * Requests for which the conditions of a route hold, with different values of wildcards, hosts and schemes; immutable.
 *
 * @param values of each segment, percent-encoded
 * @param captures the index of the segment that each named wildcard takes
 * @param unknown what no value was found for, as a regular expression; empty if all conditions of the route hold
 */
record RequestCandidates(List<String> schemes, List<String> hosts, List<List<String>> values,
    SequencedMap<String, Integer> captures, String unknown) {
  /**
   * The segments put in place of wildcards without condition, of which one is chosen that no literal of another route
   * equals.
   */
  private static final List<String> FILLS = List.of("1", "x7", "witness", "a.b", "X_7-z");
  /** Of a wildcard for the rest, which may take what wildcards for single segments do not. */
  private static final List<String> RESTS = List.of("1", "x7", "witness", "1/x7/witness", "1/x7", "1/2/3/4/5/6", "1/");
  private static final List<String> HOSTS = List.of("app.example", "witness.test", "localhost", "x7.a.b.invalid",
      "app.example:8443", "192.0.2.7");
  private static final List<String> BELOW = List.of("any", "x7", "witness.any", "a.b.c");
  /** Tried for regular expressions. */
  private static final List<String> GUESSES = List.of("1", "a", "42", "2026", "abc", "A", "a1", "x-1", "abc123",
      "v1", "v1.0", "admin", "user", "app.example", "api.app.example", "localhost", "1.2.3",
      "00000000-0000-4000-8000-000000000000", "2026-01-31", "a@app.example", "index.html", "a.js", "a.css", "a.png",
      "a/b");
  private static final int MOST_VALUES = 24;
  private static final int MOST_PATHS = 64;
  /** Of combinations of a host and a path. */
  private static final int MOST = 128;
  private static final Pattern PATH = Pattern.compile("[A-Za-z0-9._~!$&'()*+,;=:@/-]+");
  private static final Pattern HOST = Pattern.compile("[a-z0-9_.-]+(:[0-9]{1,5})?");

  /** @param segments of the path, percent-encoded */
  record Request(String scheme, String host, List<String> segments) {
    String path() {
      return "/" + String.join("/", segments);
    }
  }

  /** @param key of the host */
  static RequestCandidates of(IndexedRoute<?> route, String key) {
    RouteShape.Terms terms = route.form().terms();
    List<String> unknown = new ArrayList<>();
    List<List<String>> values = new ArrayList<>();
    SequencedMap<String, Integer> captures = new LinkedHashMap<>();
    List<Segment> pattern = route.segments();
    for (int i = 0; i < pattern.size(); i++) {
      Segment segment = pattern.get(i);
      if (segment instanceof Segment.Literal(String text)) {
        values.add(List.of(text));
        continue;
      }
      values.add(filled(segment, terms.parameters(), unknown));
      if (!segment.capture().equals(Segment.UNNAMED)) {
        captures.put(segment.capture(), i);
      }
    }
    List<String> hosts = hosts(key, terms.hostTexts(), unknown);
    List<String> schemes = switch (terms.scheme()) {
      case ANY -> List.of("https", "http");
      case HTTP -> List.of("http");
      case HTTPS -> List.of("https");
    };
    return new RequestCandidates(schemes, hosts, values, captures, String.join(", ", unknown));
  }

  /** Returns the first request, without putting the others together. */
  Request first() {
    return new Request(schemes.getFirst(), hosts.getFirst(), values.stream().map(List::getFirst).toList());
  }

  /** Returns all requests, each put together when it is asked for: usually the first one is enough. */
  Stream<Request> requests() {
    return Stream.concat(Stream.of(first()), Stream.of(true).flatMap(_ -> others()));
  }

  private Stream<Request> others() {
    List<List<String>> paths = Combinations.of(values.stream().map(List::size).toList(), MOST_PATHS).stream()
        .map(chosen -> IntStream.range(0, values.size()).mapToObj(i -> values.get(i).get(chosen.get(i))).toList())
        .toList();
    List<List<Integer>> both = Combinations.of(List.of(hosts.size(), paths.size()), MOST);
    return schemes.stream().flatMap(scheme -> Stream.of(
        paths.stream().map(path -> new Request(scheme, hosts.getFirst(), path)),
        hosts.stream().map(host -> new Request(scheme, host, paths.getFirst())),
        both.stream().map(chosen -> new Request(scheme, hosts.get(chosen.get(0)), paths.get(chosen.get(1)))))
        .flatMap(some -> some)).distinct().skip(1);
  }

  private static List<String> filled(Segment segment, List<PathParameter> parameters, List<String> unknown) {
    List<StringPattern> conditions = parameters.stream().filter(p -> p.name().equals(segment.capture()))
        .map(PathParameter::pattern).toList();
    List<String> fills = segment instanceof Segment.Rest ? RESTS : FILLS;
    if (conditions.isEmpty()) {
      return fills;
    }
    List<String> found = found(conditions, text -> conditions.stream().allMatch(p -> p.matches(text)),
        text -> PATH.matcher(text).matches() && !text.matches("\\.\\.?"));
    if (found.isEmpty()) {
      unknown.add("a value of `" + segment.capture() + "`");
      return List.of(fills.getFirst());
    }
    return found;
  }

  private static List<String> hosts(String key, List<StringPattern> texts, List<String> unknown) {
    List<String> all = key.equals(HostKeys.ANY) ? HOSTS
        : key.startsWith("*.") ? BELOW.stream().map(label -> label + key.substring(1)).toList() : List.of(key);
    if (texts.isEmpty()) {
      return all;
    }
    Predicate<String> fits = host -> texts.stream().anyMatch(p -> p.matches(host));
    Set<String> found = new LinkedHashSet<>(all.stream().filter(fits).toList());
    if (key.equals(HostKeys.ANY)) {
      found.addAll(found(texts, fits, text -> HOST.matcher(text).matches()));
    }
    if (found.isEmpty()) {
      unknown.add("a host");
      return List.of(all.getFirst());
    }
    return List.copyOf(found);
  }

  /** @param usual whether a string can be part of a request as it is */
  private static List<String> found(List<StringPattern> patterns, Predicate<String> fits, Predicate<String> usual) {
    Set<String> candidates = new LinkedHashSet<>();
    patterns.forEach(pattern -> {
      switch (pattern) {
        case StringPattern.Exact(String value) -> candidates.add(value);
        case StringPattern.Globbed(Glob glob) -> candidates.addAll(glob.samples());
        case StringPattern.Found found -> {
          String written = found.regex().toString();
          String plain = written.replaceAll("\\(\\?[a-z]+\\)|[\\^$]", "").replace("\\", "");
          candidates.add(plain);
          candidates.add(plain.replaceAll("[(]([^|()]*)[^()]*[)]", "$1"));
          candidates.addAll(GUESSES);
          candidates.addAll(RegexSamples.of(written));
        }
      }
    });
    List<String> fitting = candidates.stream().filter(text -> !text.isEmpty()).filter(fits).toList();
    List<String> good = fitting.stream().filter(usual).limit(MOST_VALUES).toList();
    return good.isEmpty() ? fitting.stream().limit(1).toList() : good;
  }
}
