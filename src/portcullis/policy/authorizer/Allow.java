package portcullis.policy.authorizer;

import java.util.Optional;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.PipelineState;

/** Allows every request. */
public record Allow() implements Mechanism.Authorizer {
  public static final MechanismType<MechanismType.Unset, Mechanism.Authorizer> TYPE = MechanismType
      .plain(Mechanism.Authorizer.class, "allow", (_, _, _) -> Optional.of(new Allow()))
      .purpose("Allows every request.");

  @Override
  public Mechanism.Outcome authorize(PipelineState state) {
    return Mechanism.Outcome.PASSED;
  }
}
