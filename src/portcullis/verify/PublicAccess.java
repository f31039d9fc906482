package portcullis.verify;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.pipeline.Step;
import portcullis.policy.pipeline.StepReport;
import portcullis.policy.route.RouteSample;
import portcullis.policy.rule.Rule;

/** Finds what is allowed without valid credentials. */
final class PublicAccess {
  static final String KIND = "public";
  static final String UNDECIDED = "undecided";

  private final AnalyzedRules rules;
  private final List<Finding> out = new ArrayList<>();

  private PublicAccess(AnalyzedRules rules) {
    this.rules = rules;
  }

  static List<Finding> of(AnalyzedRules rules) {
    PublicAccess access = new PublicAccess(rules);
    for (RouteSample<Rule> sample : rules.samples()) {
      if (sample.unknown().isEmpty()) {
        access.add(sample);
      }
    }
    rules.unmatched().ifPresent(access::unmatched);
    return access.out;
  }

  private void add(RouteSample<Rule> sample) {
    Map<AccessCheck.Access, List<AccessCheck.Decided>> found = new LinkedHashMap<>();
    for (String method : sample.methods()) {
      AccessCheck.Decided decided = rules.check().anonymous(Probe.of(method, sample.url()));
      if (decided.rule().filter(rule -> rule.is(sample.value())).isPresent()) {
        found.computeIfAbsent(decided.access(), _ -> new ArrayList<>()).add(decided);
      }
    }
    found.forEach((access, decided) -> {
      List<String> names = decided.stream().map(one -> one.probe().method()).toList();
      AccessCheck.Decided gravest = decided.stream().filter(one -> one.probe().writes()).findFirst()
          .orElse(decided.getFirst());
      String what = AnalyzedRules.methods(sample, names) + " " + AnalyzedRules.place(sample);
      add(sample.value(), what, gravest);
    });
  }

  private void unmatched(Probe probe) {
    AccessCheck.Decided decided = rules.check().anonymous(probe);
    decided.rule().ifPresent(rule -> add(rule, "every request that no rule is for", decided));
  }

  private void add(Rule rule, String what, AccessCheck.Decided decided) {
    String id = "/" + rule.id() + "/" + what;
    String at = rules.at(rule, "");
    String request = decided.probe().text();
    String step = decided.step().map(report -> "`" + report.step().id() + "`").orElse("");
    switch (decided.access()) {
      case ALLOWED -> out.add(new Finding(KIND,
          decided.probe().writes() ? Finding.Severity.ERROR : Finding.Severity.WARNING, KIND + id, at, rule.id(),
          what + " is allowed without valid credentials", request, List.of("subject  " + subject(decided))));
      case DEPENDS -> out.add(new Finding(UNDECIDED, Finding.Severity.NOTE, UNDECIDED + id, at, rule.id(),
          what + " is allowed without valid credentials if the service of step " + step + " allows it", request,
          List.of("subject  " + subject(decided))));
      case REFUSED -> {
        if (decided.conditional()) {
          out.add(new Finding(UNDECIDED, Finding.Severity.NOTE, UNDECIDED + id, at, rule.id(),
              what + " is refused by step " + step + ", whose outcome depends on what else is in the request", request,
              List.of()));
        }
      }
    }
  }

  /** Describes who a request without credentials is taken for. */
  static String subject(AccessCheck.Decided decided) {
    Optional<Step<?>> step = decided.authenticator().map(StepReport::step);
    if (step.isEmpty()) {
      return "none";
    }
    List<String> before = decided.rule().stream().flatMap(rule -> rule.pipeline().authenticators().stream())
        .map(Step::id).takeWhile(id -> !id.equals(step.get().id())).map(id -> "`" + id + "`").toList();
    boolean open = ((Mechanism.Authenticator) step.get().mechanism()).open();
    return (decided.subject().isEmpty() ? "" : "`" + decided.subject() + "` ") + "of authenticator `"
        + step.get().id() + "` (" + step.get().type() + ")"
        + (before.isEmpty() || !open ? "" : ", the fallback after " + String.join(", ", before));
  }
}
