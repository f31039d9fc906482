package portcullis.policy.replay;

import portcullis.policy.rule.Rule;

/** Describes decisions in one clause. */
public final class DecisionText {
  private DecisionText() {}

  /** Returns a clause for a decision of now. */
  public static String of(Redecision.Result.Decided now) {
    return of(now.allowed(), now.rule().map(Rule::id).orElse(""), now.rule().map(r -> r.origin().at()).orElse(""),
        now.step(), now.error());
  }

  /**
   * Returns a clause, as {@code denied by step `may` of rule `orders` (rules.yaml:4) with authorization_error}.
   *
   * @param rule its id; empty if there was none
   * @param at where it is written; empty if unknown
   * @param step that failed; empty if none did
   * @param error its kind; empty if there was none
   */
  public static String of(boolean allowed, String rule, String at, String step, String error) {
    String by = rule.isEmpty() ? ""
        : " by " + (step.isEmpty() ? "" : "step `" + step + "` of ") + "rule `" + rule
            + "`" + (at.isEmpty() ? "" : " (" + at + ")");
    return allowed ? "allowed" + by : "denied" + by + (error.isEmpty() ? "" : " with " + error);
  }
}
