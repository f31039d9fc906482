package portcullis.errorhandler;

import java.util.Optional;
import portcullis.mechanism.Fault;
import portcullis.mechanism.Handled;
import portcullis.mechanism.Mechanism;
import portcullis.mechanism.MechanismType;
import portcullis.mechanism.State;

/** Leaves the answer to the kind of the failure. */
public record DefaultHandler() implements Mechanism.ErrorHandler {
  public static final MechanismType<MechanismType.Unset, Mechanism.ErrorHandler> TYPE =
      MechanismType.plain(Mechanism.ErrorHandler.class, "default", (_, _, _) -> Optional.of(new DefaultHandler()));

  @Override
  public Optional<Handled> answer(Fault fault, State state) {
    return Optional.empty();
  }
}
