package portcullis.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import portcullis.lang.source.Problems;
import portcullis.policy.decision.Snapshot;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.pipeline.Pipeline;
import portcullis.policy.pipeline.Step;
import portcullis.policy.route.Lookup;
import portcullis.policy.route.Match;
import portcullis.policy.route.RouteSample;
import portcullis.policy.rule.Rule;

/**
 * Finds {@code /admin} and {@code /admin/} beside a route {@code /admin/**}, which matches neither, where another rule
 * decides them and lets in whom the rule of the route refuses.
 */
public final class WildcardRoots {
  static final String KIND = "wildcard-root";

  private final AnalyzedRules rules;
  private final List<Finding> out = new ArrayList<>();

  private WildcardRoots(AnalyzedRules rules) {
    this.rules = rules;
  }

  static List<Finding> of(AnalyzedRules rules) {
    WildcardRoots roots = new WildcardRoots(rules);
    rules.reachable().forEach(sample -> paths(sample).forEach(path -> roots.check(sample, path)));
    return roots.out;
  }

  /** Returns the paths without what the wildcard at the end takes; none for other routes, and for all paths. */
  private static List<String> paths(RouteSample<Rule> sample) {
    List<String> written = List.of(sample.route().text().substring(1).split("/", -1));
    int last = written.size() - 1;
    if (last == 0 || !written.getLast().startsWith("*")) {
      return List.of();
    }
    String path = "/" + String.join("/", sample.segments().subList(0, last));
    return List.of(path, path + "/");
  }

  /** Returns the other rule that requests of this path get, with the same upstream. */
  private static Optional<Match<Rule>> other(Snapshot rules, RouteSample<Rule> sample, String method, String path) {
    return rules.index().find(Lookup.of(sample.scheme(), method, sample.host(), path))
        .filter(match -> !match.value().is(sample.value()))
        .filter(match -> match.value().backend().isEmpty() || sample.value().backend().isEmpty()
            || match.value().backend().get().host().equals(sample.value().backend().get().host()));
  }

  private void check(RouteSample<Rule> sample, String path) {
    for (String method : sample.methods()) {
      Optional<Finding> found = other(rules.rules(), sample, method, path)
          .flatMap(_ -> compared(sample, Probe.of(method, sample.url()),
              Probe.of(method, sample.scheme() + "://" + sample.host() + path)));
      if (found.isPresent()) {
        out.add(found.get());
        return;
      }
    }
  }

  private Optional<Finding> compared(RouteSample<Rule> sample, Probe below, Probe root) {
    Opened opened = Opened.of(rules.check(), below, root);
    if (!opened.isMore()) {
      return Optional.empty();
    }
    Rule rule = sample.value();
    String route = sample.route().text();
    String path = root.url().substring(root.url().indexOf('/', root.url().indexOf("//") + 2));
    return Optional.of(new Finding(KIND, Finding.Severity.WARNING, KIND + "/" + rule.id() + "/" + path,
        rules.at(rule, ""), rule.id(), "`" + path + "` is not matched by " + AnalyzedRules.place(sample)
            + " of this rule, and is " + Differences.text(opened.allowed()),
        root.text(), List.of(opened.who() + "  " + below.text() + " is " + Differences.text(opened.usual()),
            "add      the routes `" + route.substring(0, route.lastIndexOf('/')) + "` and `"
                + route.substring(0, route.lastIndexOf('/') + 1) + "` to rule `" + rule.id() + "`")));
  }

  /** Warns where this can be seen without trying requests: the other rule lacks authorizers, or is for everyone. */
  public static void warn(Snapshot rules, Problems problems) {
    for (RouteSample<Rule> sample : rules.index().samples()) {
      List<Match<Rule>> others = !AnalyzedRules.isReachable(sample) ? List.of()
          : paths(sample).stream().flatMap(path -> other(rules, sample, sample.methods().getFirst(), path).stream())
              .filter(match -> isWildcard(match) && isLaxer(match.value().pipeline(), sample.value().pipeline()))
              .toList();
      if (!others.isEmpty()) {
        String route = sample.route().text();
        String path = route.substring(0, route.lastIndexOf('/'));
        Match<Rule> other = others.getFirst();
        problems.warning(sample.route().at(0, route.length()), sample.route().path(),
            "`" + route + "` does not match `" + path + "` and `" + path + "/`: rule `" + other.value().id()
                + "` decides them by `" + other.path().text() + "`, with fewer checks",
            "add routes for both, if they are to be protected as well");
      }
    }
  }

  private static boolean isWildcard(Match<Rule> match) {
    return Stream.of(match.path().text().split("/")).anyMatch(s -> s.startsWith(":") || s.startsWith("*"));
  }

  private static boolean isLaxer(Pipeline other, Pipeline rule) {
    boolean closed = other.authenticators().stream().allMatch(step -> step.type().equals("unauthorized"))
        || other.handlers().stream().anyMatch(step -> step.type().equals("deny"));
    Set<String> checks = checks(rule);
    checks.removeAll(checks(other));
    return !closed && (isOpen(other) && !isOpen(rule) || !checks.isEmpty());
  }

  private static boolean isOpen(Pipeline pipeline) {
    return pipeline.authenticators().stream().anyMatch(step -> step.mechanism().open());
  }

  private static Set<String> checks(Pipeline pipeline) {
    return pipeline.handlers().stream()
        .filter(step -> step.mechanism() instanceof Mechanism.Authorizer && !step.type().equals("allow"))
        .map(Step::source).collect(Collectors.toSet());
  }
}
