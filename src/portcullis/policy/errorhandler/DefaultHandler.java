package portcullis.policy.errorhandler;

import java.util.Optional;
import portcullis.policy.mechanism.Fault;
import portcullis.policy.mechanism.Handled;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.State;

/** Leaves the answer to the kind of the failure. */
public record DefaultHandler() implements Mechanism.ErrorHandler {
  public static final MechanismType<MechanismType.Unset, Mechanism.ErrorHandler> TYPE = MechanismType
      .plain(Mechanism.ErrorHandler.class, "default", (_, _, _) -> Optional.of(new DefaultHandler()));

  @Override
  public Optional<Handled> answer(Fault fault, State state) {
    return Optional.empty();
  }
}
