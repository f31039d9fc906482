package portcullis.serve.service;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import portcullis.http.message.Request;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.pipeline.Observer;
import portcullis.policy.pipeline.Step;
import portcullis.policy.pipeline.StepReport;

/** Remembers how one request is decided and notifies another observer. For the thread of the request. */
class RequestTrail implements Observer {
  private final Observer next;
  private Optional<Request> request = Optional.empty();
  private Optional<Subject> subject = Optional.empty();
  private StepReport[] steps = new StepReport[6];
  private int size;

  RequestTrail(Observer next) {
    this.next = next;
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
    next.begun(step);
  }

  @Override
  public void ended(StepReport report) {
    if (size == steps.length) {
      steps = Arrays.copyOf(steps, 2 * size);
    }
    steps[size] = report;
    size++;
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

  /** Returns the number of steps. */
  int size() {
    return size;
  }

  /** Returns a step by its number, from 0. */
  StepReport step(int number) {
    return steps[number];
  }

  List<StepReport> steps() {
    return Arrays.asList(steps).subList(0, size);
  }
}
