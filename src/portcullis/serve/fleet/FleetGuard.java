package portcullis.serve.fleet;

import java.util.function.BooleanSupplier;
import portcullis.http.message.Request;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.pipeline.AccessGuard;

/**
 * Refuses who is locked, and while locks of other instances may be unknown, everybody who has to authenticate. Thread
 * safe.
 */
public final class FleetGuard implements AccessGuard {
  private final AccessGuard locks;
  private final BooleanSupplier isAway;

  /** @param isAway whether Redis is away */
  public FleetGuard(AccessGuard locks, BooleanSupplier isAway) {
    this.locks = locks;
    this.isAway = isAway;
  }

  @Override
  public void checkProtected() throws Failure {
    if (isAway.getAsBoolean()) {
      throw new Failure.Unavailable("locks of other instances are unknown");
    }
  }

  @Override
  public void checkClient(Request request) throws Failure {
    locks.checkClient(request);
  }

  @Override
  public void checkSubject(Subject subject) throws Failure {
    locks.checkSubject(subject);
  }
}
