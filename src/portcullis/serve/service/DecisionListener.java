package portcullis.serve.service;

import java.util.List;
import java.util.Optional;
import portcullis.policy.pipeline.StepReport;
import portcullis.policy.route.Match;
import portcullis.policy.rule.Rule;

/** Is notified of each decision before it is carried out, on the thread of the request. Thread safe. */
public interface DecisionListener {
  /**
   * Called with a decision.
   *
   * @param outcome what the client and the upstream are about to receive
   * @param match the route that matched; empty if the default rule decided
   */
  void decided(DryRun.Outcome outcome, Optional<Match<Rule>> match, List<StepReport> steps);
}
