package portcullis.policy.replay;

import java.time.Instant;
import java.util.List;
import portcullis.policy.rule.Rule;
import portcullis.policy.rule.RuleOrigin;

/**
 * A decision that was made; immutable.
 *
 * @param error the kind of its error; empty if there was none
 * @param steps that were executed
 * @param origin of the rule; unknown if there was none
 * @param name source and id of the rule, where a rule of the same name without digest is the same; else empty
 */
public record PastDecision(Instant time, boolean allowed, String error, List<Step> steps, RuleOrigin origin,
    String name) {
  /** A step that was executed. */
  public record Step(String id, String kind, String outcome) {
    public boolean failed() {
      return outcome.equals("failed") || outcome.equals("broken");
    }

    /** Returns whether it runs after the subject is known. */
    boolean isLater() {
      return !kind.equals("authenticator") && !kind.equals("error_handler");
    }
  }

  /** Returns source and id of a rule. */
  public static String name(Rule rule) {
    return rule.source() + " " + rule.id();
  }

  public PastDecision {
    steps = List.copyOf(steps);
  }
}
