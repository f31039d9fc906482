package portcullis.serve.service;

import portcullis.observe.decisions.JsonLine;
import portcullis.observe.decisions.KeyedHash;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.pipeline.Step;
import portcullis.policy.pipeline.StepReport;
import portcullis.policy.rule.NamedFiles;
import portcullis.policy.rule.Rule;
import portcullis.policy.rule.RuleOrigin;

/** The parts of lines of the decision log that are the same for many requests, each written once. Thread safe. */
final class DecisionParts {
  private static final JsonLine.Name MILLIS = JsonLine.Name.of("ms");

  private final WrittenParts<Rule> rules = new WrittenParts<>();
  private final WrittenParts<Step<?>> steps = new WrittenParts<>();
  private final WrittenParts<String> subjects = new WrittenParts<>();
  private final NamedFiles files = new NamedFiles();

  /** Returns the member of a rule. */
  byte[] rule(Rule rule) {
    return rules.of(rule, 0, DecisionParts::written);
  }

  private static byte[] written(Rule rule) {
    RuleOrigin origin = rule.origin();
    JsonLine line = new JsonLine().object("rule").add("id", rule.id()).add("rule_set", rule.source());
    if (!origin.equals(RuleOrigin.UNKNOWN)) {
      line.add("at", origin.at()).add("sha256", origin.rule()).add("authenticators_sha256",
          origin.authenticators());
      if (!origin.ruleSet().isEmpty()) {
        line.add("rule_set_sha256", origin.ruleSet());
      }
      line.add("configuration_sha256", origin.configuration());
    }
    return line.end().members();
  }

  /** Returns a step up to its time. */
  byte[] step(Step<?> step, StepReport.Outcome outcome) {
    return steps.of(step, outcome.ordinal(), which -> written(which, outcome));
  }

  /** Returns the member with the hash of a subject; a credential that is remembered has the same identifier again. */
  byte[] subject(Subject subject, KeyedHash hash) {
    return subjects.of(subject.id(), 0, id -> new JsonLine().plain("subject", hash.of(id)).members());
  }

  /** Returns the contents of files that decisions depend on. */
  NamedFiles files() {
    return files;
  }

  private static byte[] written(Step<?> step, StepReport.Outcome outcome) {
    return new JsonLine().add("id", step.id()).add("kind", DecisionObserver.kind(step)).add("type", step.type())
        .add("outcome", outcome.text()).upTo(MILLIS);
  }
}
