package portcullis.serve.service;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import portcullis.http.message.Request;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.pipeline.Observer;
import portcullis.policy.pipeline.Step;
import portcullis.policy.pipeline.StepReport;
import portcullis.policy.replay.Redecision;
import portcullis.serve.feed.DecidedStep;

/** Remembers what the feed needs of a decision and notifies another observer. For the thread of the request. */
final class FeedTrail implements Observer {
  private final Observer next;
  private Optional<Request> request = Optional.empty();
  private Optional<Subject> subject = Optional.empty();
  private StepReport[] steps = new StepReport[6];
  private int size;

  FeedTrail(Observer next) {
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

  /** Returns the id of the subject; empty if it is not known. */
  String subject() {
    return subject.map(Subject::id).orElse("");
  }

  List<DecidedStep> steps() {
    List<DecidedStep> out = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      StepReport report = steps[i];
      out.add(new DecidedStep(report.step().id(), DecisionObserver.kind(report.step()), report.step().type(),
          report.outcome().text(), report.nanos(), report.failure().map(Redecision::error).orElse(""),
          report.failure().map(Failure::report).orElse("")));
    }
    return out;
  }
}
