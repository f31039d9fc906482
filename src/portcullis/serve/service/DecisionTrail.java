package portcullis.serve.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.http.message.Request;
import portcullis.observe.decisions.RemoteAnswers;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.pipeline.Observer;
import portcullis.policy.pipeline.Step;
import portcullis.policy.pipeline.StepReport;

/** Remembers how one request is decided and notifies another observer. For the thread of the request. */
final class DecisionTrail implements Observer {
  private final Observer next;
  private final RemoteAnswers answers;
  private final List<StepReport> steps = new ArrayList<>();
  private Optional<Request> request = Optional.empty();
  private Optional<Subject> subject = Optional.empty();

  /** @param answers told which step makes calls */
  DecisionTrail(Observer next, RemoteAnswers answers) {
    this.next = next;
    this.answers = answers;
  }

  @Override
  public void requested(Request decided) {
    request = Optional.of(decided);
    next.requested(decided);
  }

  @Override
  public void ruled(String source, String rule, String route) {
    next.ruled(source, rule, route);
  }

  @Override
  public void authenticated(Subject known) {
    subject = Optional.of(known);
    next.authenticated(known);
  }

  @Override
  public void begun(Step<?> step) {
    answers.step(step.id());
    next.begun(step);
  }

  @Override
  public void ended(StepReport report) {
    steps.add(report);
    next.ended(report);
  }

  /** Returns the request as the decider got it; empty if it was refused before. */
  Optional<Request> request() {
    return request;
  }

  /** Returns the subject; empty if there is none, or none yet. */
  Optional<Subject> subject() {
    return subject;
  }

  /** Returns the responses of remote services; none if they are not recorded. */
  RemoteAnswers answers() {
    return answers;
  }

  List<StepReport> steps() {
    return steps;
  }
}
