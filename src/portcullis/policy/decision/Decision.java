package portcullis.policy.decision;

import java.util.Optional;
import portcullis.http.message.Response;
import portcullis.policy.mechanism.HandlerResponse;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.StepFailure;
import portcullis.policy.rule.Rule;

/** The decision about a request. */
public sealed interface Decision {
  /** The request is allowed. Nothing is forwarded without this object, and only the decider creates one. */
  final class Allow implements Decision {
    private final Rule rule;
    private final PipelineState state;
    private final ProtectedHeaders protectedHeaders;

    Allow(Rule rule, PipelineState state, ProtectedHeaders protectedHeaders) {
      this.rule = rule;
      this.state = state;
      this.protectedHeaders = protectedHeaders;
    }

    /** Returns the header fields and cookies that only rules may set. */
    public ProtectedHeaders protectedHeaders() {
      return protectedHeaders;
    }

    public Rule rule() {
      return rule;
    }

    /** Returns the request, its subject and what is added for the upstream. */
    public PipelineState state() {
      return state;
    }

    /** Returns the id of the subject; empty if there is none. */
    public String subject() {
      return state.subject().map(s -> s.id()).orElse("");
    }
  }

  /**
   * The request is for an endpoint of a mechanism, which has responded: it is neither allowed nor refused.
   *
   * @param error why the mechanism has refused it, for logs; empty if it has not
   */
  record Own(Response answer, String error) implements Decision {}

  /**
   * The request is refused.
   *
   * @param rule empty if none was found
   * @param answer the response of an error handler; empty for the default response of the kind of failure
   */
  record Refuse(Optional<Rule> rule, StepFailure stepFailure, Optional<HandlerResponse> answer) implements Decision {}
}
