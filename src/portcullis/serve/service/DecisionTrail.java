package portcullis.serve.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.http.message.Request;
import portcullis.policy.pipeline.Observer;
import portcullis.policy.pipeline.Step;
import portcullis.policy.pipeline.StepReport;

/** Remembers how one request is decided and notifies another observer. For the thread of the request. */
final class DecisionTrail implements Observer {
  private final Observer next;
  private final List<StepReport> steps = new ArrayList<>();
  private Optional<Request> request = Optional.empty();

  DecisionTrail(Observer next) {
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
  public void begun(Step<?> step) {
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

  List<StepReport> steps() {
    return steps;
  }
}
