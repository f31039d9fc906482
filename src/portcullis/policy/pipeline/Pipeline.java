package portcullis.policy.pipeline;

import java.util.List;
import portcullis.http.message.Request;
import portcullis.observe.telemetry.Log;
import portcullis.policy.mechanism.Mechanism;

/**
 * The steps of a rule: the first authenticator that accepts tells the subject, authorizers and contextualizers run in
 * their order, then the finalizers; the first error handler that applies answers for a failure. Immutable and thread
 * safe.
 */
public record Pipeline(List<Step<Mechanism.Authenticator>> authenticators, List<Step<? extends Mechanism>> handlers,
    List<Step<Mechanism.Finalizer>> finalizers, List<Step<Mechanism.ErrorHandler>> errorHandlers, Log log) {
  /** Runs the request through all of it. */
  public PipelineResult run(Request request) {
    return run(request, Observer.NOBODY);
  }

  /** The same while an observer is told of each step. */
  public PipelineResult run(Request request, Observer observer) {
    StepReporter progress = new StepReporter(observer);
    return progress.of(new PipelineRun(this, request, progress));
  }
}
