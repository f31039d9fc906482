package portcullis.policy.errorhandler;

import java.util.Optional;
import portcullis.policy.mechanism.HandlerResponse;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.StepFailure;

/** Uses the default response of the kind of failure. */
public record DefaultHandler() implements Mechanism.ErrorHandler {
  public static final MechanismType<MechanismType.Unset, Mechanism.ErrorHandler> TYPE = MechanismType
      .plain(Mechanism.ErrorHandler.class, "default", (_, _, _) -> Optional.of(new DefaultHandler()))
      .purpose("Answers with the default status of the error, as without error handlers. It exists "
          + "without a definition, under the id `default`.");

  @Override
  public Optional<HandlerResponse> answer(StepFailure stepFailure, PipelineState state) {
    return Optional.empty();
  }
}
