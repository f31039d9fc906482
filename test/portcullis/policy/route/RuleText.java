package portcullis.policy.route;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;

/** A rule as tests write it; its value is its id. What does not compile is added to the problems. */
final class RuleText {
  private final String id;
  private final Problems problems;
  private final List<Route> routes = new ArrayList<>();
  private final List<PathParameter> parameters = new ArrayList<>();
  private final List<HostPattern> hosts = new ArrayList<>();
  private MethodSet methods = MethodSet.ANY;
  private Scheme scheme = Scheme.ANY;
  private EncodedSlashes slashes = EncodedSlashes.OFF;

  RuleText(String id, Problems problems) {
    this.id = id;
    this.problems = problems;
  }

  static RuleText rule(String id) {
    return new RuleText(id, new Problems());
  }

  static LocatedText written(String text) {
    return LocatedText.of("r.yaml", text);
  }

  static List<String> texts(Problems problems) {
    return problems.sorted().stream().map(Problem::text).toList();
  }

  /** An index of these rules; fails on any error, in a pattern too. */
  static RouteIndex<String> index(RuleText... rules) {
    Problems problems = new Problems();
    Stream.of(rules).forEach(rule -> problems.addAll(rule.problems));
    return RouteIndex.<String>empty().with(List.of(set("one", rules)), problems).filter(_ -> !problems.hasErrors())
        .orElseThrow(() -> new AssertionError(texts(problems)));
  }

  static RouteSet<String> set(String source, RuleText... rules) {
    return new RouteSet<>(source, Stream.of(rules).map(RuleText::entry).toList());
  }

  /** The id of the rule that is found, or {@code -}. */
  static String found(RouteIndex<String> index, Lookup lookup) {
    return index.find(lookup).map(Match::value).orElse("-");
  }

  /** The conditions of a path come before it. */
  RuleText where(String name, PathParameter.Type type, String value) {
    PathParameter.compile(written(name), type, written(value), slashes, problems).ifPresent(parameters::add);
    return this;
  }

  RuleText path(String... paths) {
    for (String path : paths) {
      PathPattern.compile(written(path), problems).flatMap(p -> Route.of(p, parameters,
          problems)).ifPresent(routes::add);
    }
    parameters.clear();
    return this;
  }

  RuleText host(HostPattern.Type type, String... texts) {
    Stream.of(texts).forEach(text -> HostPattern.compile(type, written(text), problems).ifPresent(hosts::add));
    return this;
  }

  /** Wildcards and exact hosts, as they look. */
  RuleText host(String... texts) {
    Stream.of(texts)
        .forEach(text -> host(text.startsWith("*") ? HostPattern.Type.WILDCARD : HostPattern.Type.EXACT, text));
    return this;
  }

  RuleText methods(String... names) {
    methods = MethodSet.compile(Stream.of(names).map(RuleText::written).toList(), problems).orElse(MethodSet.ANY);
    return this;
  }

  RuleText scheme(Scheme only) {
    scheme = only;
    return this;
  }

  RuleText slashes(EncodedSlashes handling) {
    slashes = handling;
    return this;
  }

  RuleEntry<String> entry() {
    return new RuleEntry<>(written(id), new Conditions(scheme, methods, hosts, slashes), routes, id);
  }

  static Lookup get(String url) {
    return request("GET", url);
  }

  /** Of {@code //host/path}, {@code scheme://host/path} or {@code /path}. */
  static Lookup request(String method, String url) {
    String whole = url.startsWith("/") && !url.startsWith("//") ? "http://any.test" + url : url;
    int host = whole.indexOf("//") + 2;
    int path = whole.indexOf('/', host);
    String scheme = host == 2 ? "http" : whole.substring(0, host - 3);
    return Lookup.of(scheme, method, whole.substring(host, path), whole.substring(path));
  }
}
