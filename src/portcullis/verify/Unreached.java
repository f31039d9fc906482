package portcullis.verify;

import java.util.ArrayList;
import java.util.List;
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
        .filter(sample -> !sample.taken() && !AnalyzedRules.isReachable(sample)).toList();
    List<Finding> out = new ArrayList<>();
    samples.stream().limit(MOST).forEach(sample -> out.add(finding(rules, sample)));
    if (samples.size() > MOST) {
      out.add(new Finding(KIND, Finding.Severity.WARNING, KIND + "/others", "", "", "no request was found that reaches "
          + (samples.size() - MOST) + " other routes", "", List.of()));
    }
    return out;
  }

  /** Returns the finding about a route that a request does not reach, whatever the index says. */
  static Finding finding(AnalyzedRules rules, RouteSample<Rule> sample) {
    Rule rule = sample.value();
    String what = AnalyzedRules.methods(sample, sample.methods()) + " " + AnalyzedRules.place(sample);
    boolean known = sample.unknown().isEmpty();
    return new Finding(KIND, Finding.Severity.WARNING, KIND + "/" + rule.id() + "/" + what, rules.at(rule, ""),
        rule.id(), "no request was found that reaches " + what + " of this rule"
            + (known ? "" : ", as no match was found for the condition on " + sample.unknown())
            + "; whether it is open is not known",
        known ? Probe.of(sample.methods().getFirst(), sample.url()).text() : "",
        known ? rules.decides(sample) : List.of());
  }
}
