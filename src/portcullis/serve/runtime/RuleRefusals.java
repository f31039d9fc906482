package portcullis.serve.runtime;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.decisions.AuditTrail;
import portcullis.observe.telemetry.Log;

/**
 * Reports why rule sets are refused: they are tried again with every change, but each error of the same text is logged
 * once, and each text with errors is recorded once. Not thread safe.
 */
final class RuleRefusals {
  private final Map<String, Reported> reported = new HashMap<>();
  private final Map<String, Reported> recorded = new HashMap<>();
  private final Log log;

  RuleRefusals(Log log) {
    this.log = log;
  }

  private record Reported(SourceFile text, Set<String> errors) {}

  /** Reports the errors of a rule set as far as they are new. */
  void report(ParsedRules rules, Problems problems, AuditTrail audit) {
    List<String> errors = problems.sorted().stream().map(Problem::text).toList();
    Reported now = new Reported(rules.text(), Set.copyOf(errors));
    Set<String> known = known(reported.put(rules.source(), now), now);
    errors.stream().filter(error -> !known.contains(error))
        .forEach(error -> log.error("Failed to apply rule set changes", "_src", rules.source(), "_error", error));
    if (audit != AuditTrail.NONE && !known(recorded.put(rules.source(), now), now).containsAll(errors)) {
      audit.note(ChangeEvents.refusedRules(rules.source(), rules.text(), errors));
    }
  }

  /** Returns the problem of a rule set that is not applied as that could not be recorded. */
  static Problems unrecorded(ParsedRules rules, String reason) {
    Problems out = new Problems();
    out.error(new Origin.InFile(rules.text(), 1, 1, 1), "", reason, "the rules before it stay in force");
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
