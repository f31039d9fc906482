package portcullis.policy.finalizer;

import java.util.Optional;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.RequestAdditions;

/** Adds nothing to the request. */
public record Noop() implements Mechanism.Finalizer {
  public static final MechanismType<MechanismType.Unset, Mechanism.Finalizer> TYPE = MechanismType
      .plain(Mechanism.Finalizer.class, "noop", (_, _, _) -> Optional.of(new Noop()))
      .purpose("Adds nothing to the request for the upstream.");

  @Override
  public RequestAdditions finish(PipelineState state) {
    return RequestAdditions.NONE;
  }
}
