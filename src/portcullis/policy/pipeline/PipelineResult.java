package portcullis.policy.pipeline;

import java.util.Optional;
import portcullis.policy.mechanism.HandlerResponse;
import portcullis.policy.mechanism.LocatedFailure;
import portcullis.policy.mechanism.PipelineState;

/** How a request came through a pipeline. */
public sealed interface PipelineResult {
  /** All steps let it pass. */
  record Passed(PipelineState state) implements PipelineResult {}

  /**
   * A step failed.
   *
   * @param fault the failure that counts: that of the step, or that of the handler which was to answer for it
   * @param answer what an error handler says; empty where the answer is that of the failure's kind
   */
  record Failed(LocatedFailure fault, Optional<HandlerResponse> answer) implements PipelineResult {}
}
