package portcullis.serve.service;

import portcullis.observe.decisions.RemoteAnswers;
import portcullis.policy.pipeline.Observer;
import portcullis.policy.pipeline.Step;

/** Remembers the responses of remote services too. For the thread of the request. */
final class DecisionTrail extends RequestTrail {
  private final RemoteAnswers answers;

  /** @param answers notified of the step that makes calls */
  DecisionTrail(Observer next, RemoteAnswers answers) {
    super(next);
    this.answers = answers;
  }

  @Override
  public void begun(Step<?> step) {
    answers.step(step.id());
    super.begun(step);
  }

  /** Returns the responses of remote services; none if they are not recorded. */
  RemoteAnswers answers() {
    return answers;
  }
}
