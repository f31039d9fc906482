package portcullis.serve.service;

import java.util.List;
import java.util.Optional;
import portcullis.policy.pipeline.StepReport;
import portcullis.policy.route.Match;
import portcullis.policy.rule.Rule;
import portcullis.serve.debug.DebugToken;

/** Explains requests that carry a debug token. Thread safe. */
public interface RequestExplainer {
  /** Returns the token that is written so; empty if it is not valid here and now. */
  Optional<DebugToken> token(String text);

  /**
   * Keeps the explanation of a request.
   *
   * @param match the route that matched; empty if the default rule decided
   * @return the id by which it can be read; empty if it cannot be kept
   */
  Optional<String> explained(DryRun.Outcome outcome, Optional<Match<Rule>> match, List<StepReport> steps);
}
