package portcullis.policy.pipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.http.message.Request;
import portcullis.observe.telemetry.Log;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.Subject;

/**
 * The steps of a rule: the first authenticator that accepts the request determines the subject, authorizers and
 * contextualizers run in their order, then the finalizers; the first applicable error handler handles a failure. Rule
 * sets of version {@code 1beta1} may have several principals, and run every applicable error handler. Immutable and
 * thread safe.
 */
public record Pipeline(List<Step<Mechanism.Authenticator>> authenticators, List<Step<? extends Mechanism>> handlers,
    List<Step<Mechanism.Finalizer>> finalizers, List<Step<Mechanism.ErrorHandler>> errorHandlers, Log log,
    RuleSetVersion version) {
  /** Returns a pipeline of a rule set of version {@code 1alpha4}. */
  public Pipeline(List<Step<Mechanism.Authenticator>> authenticators, List<Step<? extends Mechanism>> handlers,
      List<Step<Mechanism.Finalizer>> finalizers, List<Step<Mechanism.ErrorHandler>> errorHandlers, Log log) {
    this(authenticators, handlers, finalizers, errorHandlers, log, RuleSetVersion.ALPHA4);
  }

  /** Runs the pipeline for clients and subjects that the guard does not refuse. */
  public PipelineResult run(Request request, AccessGuard guard, Observer observer) {
    StepReporter progress = new StepReporter(observer);
    return progress.of(new PipelineRun(this, request, guard, Optional.empty(), progress));
  }

  /** Decides a request again that was allowed: without finalizers and error handlers. */
  public PipelineResult repeat(Request request, AccessGuard guard) {
    List<Step<? extends Mechanism>> again = new ArrayList<>(handlers);
    again.removeIf(step -> step.mechanism() instanceof Mechanism.Authorizer authorizer && authorizer.once());
    return new Pipeline(authenticators, again, List.of(), List.of(), log, version).run(request, guard,
        Observer.NONE);
  }

  /** Runs the pipeline without its authenticators for a given subject, for tests of rules. */
  public PipelineResult run(Request request, Subject subject, Observer observer) {
    StepReporter progress = new StepReporter(observer);
    return progress.of(new PipelineRun(this, request, AccessGuard.OPEN, Optional.of(subject), progress));
  }
}
