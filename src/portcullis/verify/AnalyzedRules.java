package portcullis.verify;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import portcullis.lang.source.Origin;
import portcullis.policy.decision.Snapshot;
import portcullis.policy.route.RouteSample;
import portcullis.policy.rule.Rule;

/** Rules with a request for each of their routes; for one thread. */
final class AnalyzedRules {
  private static final String NOWHERE = "https://app.example/no-rule-is-for-this-path";

  private final AccessCheck check;
  private final List<RouteSample<Rule>> samples;
  private final RulePositions positions = new RulePositions();

  AnalyzedRules(OfflineDecider kernel) {
    this.check = new AccessCheck(kernel);
    this.samples = kernel.snapshot().index().samples();
    samples.forEach(sample -> positions.read(sample.value().source()));
  }

  AccessCheck check() {
    return check;
  }

  Snapshot rules() {
    return check.rules();
  }

  /** Returns requests for each route and host, also where none was found that reaches the route. */
  List<RouteSample<Rule>> samples() {
    return samples;
  }

  /** Returns those that their own rule decides. */
  List<RouteSample<Rule>> reachable() {
    return samples.stream().filter(AnalyzedRules::isReachable).toList();
  }

  static boolean isReachable(RouteSample<Rule> sample) {
    return sample.unknown().isEmpty() && sample.winner().filter(rule -> rule.is(sample.value())).isPresent();
  }

  /** Returns a request that no rule but the default one is for. */
  Optional<Probe> unmatched() {
    Probe probe = Probe.of("GET", NOWHERE);
    return check.anonymous(probe).rule().filter(Rule::isDefault).map(_ -> probe);
  }

  /** Returns where a rule or one of its steps is written; empty where that is not known. */
  String at(Rule rule, String step) {
    return positions.of(rule.source(), rule.id(), step);
  }

  /** Returns which rule decides a request of the route of another one, as details of a finding. */
  List<String> decides(Optional<Rule> rule) {
    return rule.map(other -> List.of("decides  rule `" + other.id() + "`"
        + (at(other, "").isEmpty() ? "" : " at " + at(other, "")))).orElse(List.of());
  }

  /** Returns a place with the file's name relative to the working directory. */
  static String shown(Origin at) {
    String here = Path.of("").toAbsolutePath() + "/";
    return at.text().startsWith(here) ? at.text().substring(here.length()) : at.text();
  }

  /** Returns the methods as messages name them. */
  static String methods(RouteSample<Rule> sample, List<String> some) {
    return sample.areAll(some) ? "any method of" : String.join(", ", some);
  }

  /** Returns the host as messages name it, before the path: empty for any host. */
  static String place(RouteSample<Rule> sample) {
    return (sample.value().hosts().isEmpty() ? "" : sample.host()) + sample.route().text();
  }
}
