package portcullis.verify;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import portcullis.policy.route.RouteSample;
import portcullis.policy.rule.Rule;

/** Finds requests that two sets of rules decide otherwise. */
final class Differences {
  static final String ALLOWED = "newly-allowed";
  static final String REFUSED = "newly-refused";
  static final String CHANGED = "changed-call";

  private final AnalyzedRules before;
  private final AnalyzedRules now;
  private final List<Finding> out = new ArrayList<>();

  private Differences(AnalyzedRules before, AnalyzedRules now) {
    this.before = before;
    this.now = now;
  }

  static List<Finding> of(AnalyzedRules before, AnalyzedRules now) {
    Differences differences = new Differences(before, now);
    Map<Probe, RouteSample<Rule>> probes = new LinkedHashMap<>();
    Stream.concat(now.samples().stream(), before.samples().stream()).filter(sample -> sample.unknown().isEmpty())
        .forEach(sample -> sample.methods()
            .forEach(method -> probes.putIfAbsent(Probe.of(method, sample.url()), sample)));
    probes.forEach(differences::compare);
    Stream.of(before.unmatched(), now.unmatched()).flatMap(Optional::stream).distinct()
        .forEach(probe -> differences.compare(probe, "every request that no rule is for"));
    now.samples().stream().filter(sample -> !sample.unknown().isEmpty()).forEach(differences::unknown);
    return differences.out;
  }

  private void compare(Probe probe, RouteSample<Rule> sample) {
    compare(probe, probe.method() + " " + AnalyzedRules.place(sample));
  }

  private void compare(Probe probe, String what) {
    AccessCheck.Decided oldAnonymous = before.check().anonymous(probe);
    AccessCheck.Decided newAnonymous = now.check().anonymous(probe);
    AccessCheck.Decided oldSubject = before.check().authenticated(probe);
    AccessCheck.Decided newSubject = now.check().authenticated(probe);
    List<String> details = new ArrayList<>();
    int anonymous = newAnonymous.access().compareTo(oldAnonymous.access());
    int subject = newSubject.access().compareTo(oldSubject.access());
    if (anonymous != 0) {
      details.add("without credentials  " + change(oldAnonymous, newAnonymous));
    }
    if (subject != 0) {
      details.add("authenticated  " + change(oldSubject, newSubject));
    }
    if (anonymous > 0 || subject > 0) {
      add(ALLOWED, anonymous > 0 && newAnonymous.access() == AccessCheck.Access.ALLOWED
          ? Finding.Severity.ERROR
          : Finding.Severity.WARNING, what + " is newly allowed", anonymous > 0 ? newAnonymous : newSubject, details);
    } else if (anonymous < 0 || subject < 0) {
      add(REFUSED, Finding.Severity.WARNING, what + " is newly refused", anonymous < 0 ? newAnonymous : newSubject,
          details);
    } else if (newSubject.access() == AccessCheck.Access.DEPENDS) {
      calls(newSubject, what);
    }
  }

  private static String change(AccessCheck.Decided old, AccessCheck.Decided now) {
    return text(old) + ", now " + text(now);
  }

  /** Describes how a request is decided, and by what. */
  static String text(AccessCheck.Decided decided) {
    String rule = decided.rule().map(r -> r.isDefault() ? "the default rule" : "rule `" + r.id() + "`")
        .orElse("no rule");
    String step = decided.step().map(report -> "`" + report.step().id() + "`").orElse("");
    return switch (decided.access()) {
      case ALLOWED -> "allowed by " + rule;
      case DEPENDS -> "decided by the service of step " + step + " of " + rule;
      case REFUSED -> decided.rule().isEmpty() ? "refused: no rule is for it"
          : "refused by " + (step.isEmpty() ? "" : "step " + step + " of ") + rule;
    };
  }

  /** Both depend on remote services: what these are sent counts. */
  private void calls(AccessCheck.Decided decided, String what) {
    List<String> old = before.check().calls(decided.probe());
    List<String> current = now.check().calls(decided.probe());
    if (!old.equals(current)) {
      List<String> details = new ArrayList<>();
      old.stream().filter(call -> !current.contains(call)).forEach(call -> details.add("before  " + call));
      current.stream().filter(call -> !old.contains(call)).forEach(call -> details.add("now  " + call));
      add(CHANGED, Finding.Severity.WARNING, what + ": remote services are called otherwise", decided, details);
    }
  }

  private void add(String kind, Finding.Severity severity, String message, AccessCheck.Decided decided,
      List<String> details) {
    String rule = decided.rule().map(Rule::id).orElse("");
    String at = decided.rule().map(r -> now.at(r, decided.step().map(report -> report.step().id()).orElse("")))
        .orElse("");
    out.add(new Finding(kind, severity, kind + "/" + decided.probe().text(), at, rule, message,
        decided.probe().text(), details));
  }

  private void unknown(RouteSample<Rule> sample) {
    out.add(new Finding(PublicAccess.UNDECIDED, Finding.Severity.NOTE, PublicAccess.UNDECIDED + "/"
        + sample.value().id() + "/" + sample.route().text(), now.at(sample.value(), ""), sample.value().id(),
        "not compared: no request was found for " + AnalyzedRules.place(sample), "", List.of()));
  }
}
