package portcullis.policy.authenticator;

import java.util.Optional;
import portcullis.lang.expression.ErrorKind;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.Subject;

/** Rejects every request. */
public record Unauthorized() implements Mechanism.Authenticator {
  public static final MechanismType<MechanismType.Unset, Mechanism.Authenticator> TYPE = MechanismType
      .plain(Mechanism.Authenticator.class, "unauthorized", (_, _, _) -> Optional.of(new Unauthorized()))
      .purpose("Refuses every request with an authentication error, as a default rule does that has to "
          + "deny what no rule allows.")
      .fails(ErrorKind.AUTHENTICATION, "always");

  @Override
  public Subject authenticate(PipelineState state) throws Failure {
    throw new Failure.Authentication("denied by authenticator");
  }
}
