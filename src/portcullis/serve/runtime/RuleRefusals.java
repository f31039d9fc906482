package portcullis.serve.runtime;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.decisions.AuditTrail;
import portcullis.observe.telemetry.Log;
import portcullis.policy.rule.RuleOrigin;

/**
 * Reports why rule sets are refused: they are tried again with every change, but each error of the same text is logged
 * once, and each text with errors is recorded once. Not thread safe.
 */
final class RuleRefusals {
  private final Map<String, Reported> reported = new HashMap<>();
  private final Map<String, Reported> recorded = new HashMap<>();
  private final Function<String, Optional<AppliedRules>> applied;
  private final Log log;

  /** @param applied returns the rule set of a source in use */
  RuleRefusals(Function<String, Optional<AppliedRules>> applied, Log log) {
    this.applied = applied;
    this.log = log;
  }

  private record Reported(SourceFile text, Set<String> errors) {}

  /** Reports the errors of a rule set as far as they are new, and then what is in force instead. */
  void report(ParsedRules rules, Problems problems, AuditTrail audit) {
    List<String> errors = problems.sorted().stream().map(Problem::text).toList();
    Reported now = new Reported(rules.text(), Set.copyOf(errors));
    Set<String> known = known(reported.put(rules.source(), now), now);
    errors.stream().filter(error -> !known.contains(error))
        .forEach(error -> log.error("Failed to apply rule set changes", "_src", rules.source(), "_error", error));
    if (!known.containsAll(errors)) {
      reportInForce(rules.source(), problems.sorted().stream().filter(Problem::isError).count());
    }
    if (audit != AuditTrail.NONE && !known(recorded.put(rules.source(), now), now).containsAll(errors)) {
      audit.note(ChangeEvents.refusedRules(rules.source(), rules.text(), errors));
    }
  }

  private void reportInForce(String source, long errors) {
    Optional<AppliedRules> before = applied.apply(source);
    if (before.isPresent()) {
      log.error("Rule set refused, its last good rules stay in force", "_src", source, "_errors", errors, "_rules",
          before.get().rules(), "_sha256", RuleOrigin.digest(before.get().text().text()));
    } else {
      log.error("Rule set refused, none of its rules are in force", "_src", source, "_errors", errors);
    }
  }

  /** Returns the problem of a rule set that is not applied as that could not be recorded. */
  static Problems unrecorded(ParsedRules rules, String reason) {
    Problems out = new Problems();
    out.error(Origin.BUILT_IN, "", "rule set `" + rules.source() + "` is not applied: " + reason,
        "the rules before it stay in force");
    return out;
  }

  private static Set<String> known(Reported before, Reported now) {
    return before != null && before.text.equals(now.text) ? before.errors : Set.of();
  }

  /** Records that a rule set is again as it is in use, where it was recorded that it was refused. */
  void restored(String source, SourceFile text, AuditTrail audit) {
    if (recorded.containsKey(source)) {
      audit.note(ChangeEvents.restoredRules(source, text));
    }
  }

  /** Forgets what was wrong with a rule set that is applied or gone. */
  void forget(String source) {
    reported.remove(source);
    recorded.remove(source);
  }

  /** Forgets what was wrong with all rule sets, which are applied. */
  void forgetAll() {
    reported.clear();
    recorded.clear();
  }

  /** Forgets what was logged, so that it is logged again. */
  void clear() {
    reported.clear();
  }
}
