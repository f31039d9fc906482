package portcullis.authenticator;

import java.util.Optional;
import portcullis.mechanism.Failure;
import portcullis.mechanism.Mechanism;
import portcullis.mechanism.MechanismType;
import portcullis.mechanism.State;
import portcullis.mechanism.Subject;

/** Rejects every request. */
public record Unauthorized() implements Mechanism.Authenticator {
  public static final MechanismType<MechanismType.Unset, Mechanism.Authenticator> TYPE =
      MechanismType.plain(Mechanism.Authenticator.class, "unauthorized", (_, _, _) -> Optional.of(new Unauthorized()));

  @Override
  public Subject authenticate(State state) throws Failure {
    throw new Failure.Authentication("denied by authenticator");
  }
}
