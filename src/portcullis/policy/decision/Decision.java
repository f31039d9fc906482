package portcullis.policy.decision;

import java.util.Optional;
import portcullis.policy.mechanism.HandlerResponse;
import portcullis.policy.mechanism.LocatedFailure;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.rule.Rule;

/** What was decided of a request. */
public sealed interface Decision {
  /** The permit: nothing is forwarded without one, and only the decider makes them. */
  final class Allow implements Decision {
    private final Rule rule;
    private final PipelineState state;
    private final ProtectedHeaders managed;

    Allow(Rule rule, PipelineState state, ProtectedHeaders managed) {
      this.rule = rule;
      this.state = state;
      this.managed = managed;
    }

    /** What only rules may tell upstreams. */
    public ProtectedHeaders managed() {
      return managed;
    }

    public Rule rule() {
      return rule;
    }

    /** The request, its subject and what the upstream is to be told. */
    public PipelineState state() {
      return state;
    }

    /** Who asks. */
    public String subject() {
      return state.subject().map(s -> s.id()).orElse("");
    }
  }

  /**
   * The request does not pass.
   *
   * @param rule empty where none was found
   * @param answer what an error handler says; empty where the answer is that of the failure's kind
   */
  record Refuse(Optional<Rule> rule, LocatedFailure fault, Optional<HandlerResponse> answer) implements Decision {}
}
