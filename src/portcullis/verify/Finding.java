package portcullis.verify;

import java.util.List;
import java.util.Set;

/**
 * What an analysis of rules found.
 *
 * @param kind as {@code public}
 * @param id of the same finding in each analysis: kind, rule and what it is about
 * @param at file, line and column; empty where that is not known
 * @param rule its id; empty for a finding that is not about a rule
 * @param request that shows it, in the form of {@code curl}; empty where none can
 * @param details lines of a name, a blank and a string
 */
public record Finding(String kind, Severity severity, String id, String at, String rule, String message,
    String request, List<String> details) {
  /** All kinds of findings. */
  public static final Set<String> KINDS = Set.of(PublicAccess.KIND, PublicAccess.UNDECIDED, Unreachable.RULE,
      Unreached.KIND,
      Unreachable.STEP,
      Differences.ALLOWED, Differences.REFUSED, Differences.CHANGED, TaintedTemplates.KIND, ConstantOutcomes.CONSTANT,
      ConstantOutcomes.AUDIENCE, ConstantOutcomes.ISSUER, ConstantOutcomes.CACHE, Operations.WITHOUT_RULE,
      Operations.WITHOUT_OPERATION,
      UpstreamAccess.KIND, IntentCheck.VIOLATED, IntentCheck.UNUSED, OtherReadings.KIND, WildcardRoots.KIND,
      Review.STALE);

  /** The severity of a finding. A note is not counted: it reports what could not be decided. */
  public enum Severity {
    ERROR, WARNING, NOTE
  }

  public Finding {
    details = List.copyOf(details);
  }

  public boolean counts() {
    return severity != Severity.NOTE;
  }
}
