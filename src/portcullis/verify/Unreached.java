package portcullis.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.policy.route.RouteSample;
import portcullis.policy.rule.Rule;

/**
 * Reports routes that no request was found for although there may be some: whom they let in is not known, so that an
 * analysis without other findings must not be taken for a proof.
 */
final class Unreached {
  static final String KIND = "unreached-rule";
  private static final int MOST = 100;

  private Unreached() {}

  static List<Finding> of(AnalyzedRules rules) {
    List<RouteSample<Rule>> samples = rules.samples().stream()
        .filter(sample -> !sample.taken() && !isReached(rules, sample)).toList();
    List<Finding> out = new ArrayList<>();
    samples.stream().limit(MOST).forEach(sample -> out.add(finding(rules, sample)));
    if (samples.size() > MOST) {
      out.add(new Finding(KIND, Finding.Severity.WARNING, KIND + "/others", "", "", "no request was found that reaches "
          + (samples.size() - MOST) + " other routes", "", List.of()));
    }
    return out;
  }

  /** A request of the index may be refused before a rule is looked for, or be decided by that of another reading. */
  private static boolean isReached(AnalyzedRules rules, RouteSample<Rule> sample) {
    return AnalyzedRules.isReachable(sample) && sample.methods().stream()
        .anyMatch(method -> decided(rules, sample, method).rule().filter(rule -> rule.is(sample.value())).isPresent());
  }

  private static AccessCheck.Decided decided(AnalyzedRules rules, RouteSample<Rule> sample, String method) {
    return rules.check().exactly(Probe.of(method, sample.url()), Optional.empty());
  }

  private static Finding finding(AnalyzedRules rules, RouteSample<Rule> sample) {
    Rule rule = sample.value();
    String what = AnalyzedRules.methods(sample, sample.methods()) + " " + AnalyzedRules.place(sample);
    boolean known = sample.unknown().isEmpty();
    return new Finding(KIND, Finding.Severity.WARNING, KIND + "/" + rule.id() + "/" + what, rules.at(rule, ""),
        rule.id(), "no request was found that reaches " + what + " of this rule"
            + (known ? "" : ", as no match was found for the condition on " + sample.unknown())
            + "; whether it is open is not known",
        known ? Probe.of(sample.methods().getFirst(), sample.url()).text() : "",
        known ? reason(rules, decided(rules, sample, sample.methods().getFirst())) : List.of());
  }

  private static List<String> reason(AnalyzedRules rules, AccessCheck.Decided decided) {
    return decided.rule().isPresent() ? rules.decides(decided.rule())
        : decided.reason().isEmpty() ? List.of() : List.of("refused  " + decided.reason());
  }
}
