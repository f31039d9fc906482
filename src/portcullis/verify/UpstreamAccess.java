package portcullis.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.route.RouteSample;
import portcullis.policy.rule.Rule;

/** Lists which rules reach an upstream, and as whom. */
final class UpstreamAccess {
  static final String KIND = "upstream";

  private UpstreamAccess() {}

  /** @param host with or without its port */
  static List<Finding> of(AnalyzedRules rules, String host) {
    List<Finding> out = new ArrayList<>();
    for (RouteSample<Rule> sample : rules.reachable()) {
      boolean reaches = sample.value().backend()
          .filter(b -> b.host().toString().equals(host) || b.host().host().equals(host)).isPresent();
      if (reaches) {
        sample.methods().forEach(method -> out.add(finding(rules, sample, method, host)));
      }
    }
    return out;
  }

  private static Finding finding(AnalyzedRules rules, RouteSample<Rule> sample, String method, String host) {
    Probe probe = Probe.of(method, sample.url());
    AccessCheck.Decided decided = rules.check().anonymous(probe);
    String anonymous = text(decided);
    String user = text(rules.check().authenticated(probe));
    String what = method + " " + AnalyzedRules.place(sample);
    List<String> others = new ArrayList<>();
    for (Subject subject : rules.check().alternatives(decided).subjects()) {
      String other = text(rules.check().authenticated(probe, subject, Set.of()));
      if (!other.equals(user)) {
        others.add("as " + Differences.text(subject) + "  " + other);
      }
    }
    return new Finding(KIND, Finding.Severity.NOTE, KIND + "/" + sample.value().id() + "/" + what,
        rules.at(sample.value(), ""), sample.value().id(), what + " reaches " + host + "; without credentials: "
            + anonymous + "; authenticated: " + user + (others.isEmpty() ? "" : "; " + String.join("; ", others)),
        decided.probe().text(), others);
  }

  private static String text(AccessCheck.Decided decided) {
    String step = decided.step().map(report -> " of step `" + report.step().id() + "`").orElse("");
    return switch (decided.access()) {
      case ALLOWED -> "allowed" + (decided.subject().isEmpty() ? "" : " as `" + decided.subject() + "`");
      case DEPENDS -> "as the service" + step + " decides";
      case REFUSED -> decided.conditional() ? "refused by the content" + step : "refused";
    };
  }
}
