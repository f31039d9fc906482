package portcullis.policy.finalizer;

import java.util.Optional;
import portcullis.policy.mechanism.Additions;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.PipelineState;

/** Adds nothing to the request. */
public record Noop() implements Mechanism.Finalizer {
  public static final MechanismType<MechanismType.Unset, Mechanism.Finalizer> TYPE = MechanismType
      .plain(Mechanism.Finalizer.class, "noop", (_, _, _) -> Optional.of(new Noop()));

  @Override
  public Additions finish(PipelineState state) {
    return Additions.NONE;
  }
}
