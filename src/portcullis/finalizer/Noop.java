package portcullis.finalizer;

import java.util.Optional;
import portcullis.mechanism.Additions;
import portcullis.mechanism.Mechanism;
import portcullis.mechanism.MechanismType;
import portcullis.mechanism.State;

/** Tells the upstream nothing. */
public record Noop() implements Mechanism.Finalizer {
  public static final MechanismType<MechanismType.Unset, Mechanism.Finalizer> TYPE =
      MechanismType.plain(Mechanism.Finalizer.class, "noop", (_, _, _) -> Optional.of(new Noop()));

  @Override
  public Additions finish(State state) {
    return Additions.NONE;
  }
}
