package portcullis.policy.pipeline;

import portcullis.http.message.Request;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Subject;

/** Refuses clients and subjects whatever rules allow, as those that are locked. Thread safe. */
public interface AccessGuard {
  /** The step that logs name where the guard refuses. */
  String STEP = "lock";

  /** Refuses no client. */
  AccessGuard OPEN = new AccessGuard() {
    @Override
    public void checkClient(Request request) {
      // everybody may enter
    }

    @Override
    public void checkSubject(Subject subject) {
      // everybody may enter
    }
  };

  /** Is called before all others if a rule authenticates. @throws Failure if no client can be admitted now */
  default void checkProtected() throws Failure {
    // most guards always know whom they let in
  }

  /** Is called before the first step. @throws Failure if the client is refused */
  void checkClient(Request request) throws Failure;

  /** Is called once the subject is known. @throws Failure if it is refused */
  void checkSubject(Subject subject) throws Failure;
}
