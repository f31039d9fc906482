package portcullis.policy.authorizer;

import java.util.Optional;
import portcullis.lang.expression.ErrorKind;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.PipelineState;

/** Refuses every request. */
public record Deny() implements Mechanism.Authorizer {
  public static final MechanismType<MechanismType.Unset, Mechanism.Authorizer> TYPE = MechanismType
      .plain(Mechanism.Authorizer.class, "deny", (_, _, _) -> Optional.of(new Deny()))
      .purpose("Refuses every request with an authorization error.")
      .fails(ErrorKind.AUTHORIZATION, "always");

  @Override
  public Mechanism.Outcome authorize(PipelineState state) throws Failure {
    throw new Failure.Authorization("denied by authorizer");
  }
}
