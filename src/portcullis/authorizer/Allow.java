package portcullis.authorizer;

import java.util.Optional;
import portcullis.mechanism.Mechanism;
import portcullis.mechanism.MechanismType;
import portcullis.mechanism.State;

/** Allows everything. */
public record Allow() implements Mechanism.Authorizer {
  public static final MechanismType<MechanismType.Unset, Mechanism.Authorizer> TYPE =
      MechanismType.plain(Mechanism.Authorizer.class, "allow", (_, _, _) -> Optional.of(new Allow()));

  @Override
  public Mechanism.Outcome authorize(State state) {
    return Mechanism.Outcome.PASSED;
  }
}
