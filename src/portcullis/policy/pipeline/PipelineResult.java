package portcullis.policy.pipeline;

import java.util.Optional;
import portcullis.policy.mechanism.HandlerResponse;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.StepFailure;

/** The result of a pipeline. */
public sealed interface PipelineResult {
  /** All steps succeeded. */
  record Passed(PipelineState state) implements PipelineResult {}

  /**
   * A step failed.
   *
   * @param stepFailure the failure of the step, or of the error handler that failed
   * @param answer the response of an error handler; empty for the default response of the kind of failure
   */
  record Failed(StepFailure stepFailure, Optional<HandlerResponse> answer) implements PipelineResult {}
}
