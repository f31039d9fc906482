package portcullis.policy.pipeline;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import portcullis.http.message.Field;
import portcullis.http.message.Request;
import portcullis.lang.expression.ErrorObject;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.HandlerResponse;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.StepFailure;
import portcullis.policy.mechanism.Subject;

/** One run of a pipeline; for the thread of the request. */
final class PipelineRun {
  private final Pipeline pipeline;
  private final Log log;
  private final StepReporter progress;
  private final AccessGuard guard;
  private final Optional<Subject> known;
  private PipelineState state;

  /** @param subject in place of what authenticators find out; empty where they run */
  PipelineRun(Pipeline pipeline, Request request, AccessGuard guard, Optional<Subject> subject,
      StepReporter progress) {
    this.guard = guard;
    this.known = subject;
    this.pipeline = pipeline;
    this.log = pipeline.log();
    this.progress = progress;
    this.state = PipelineState.of(request);
  }

  PipelineResult run() {
    try {
      if (known.isPresent()) {
        state = state.with(known.get());
        progress.authenticated(known.get());
      } else {
        state = entered();
      }
      dump("Subject", state.subject().map(s -> (Value) s).orElse(Value.NULL));
      for (Step<? extends Mechanism> step : pipeline.handlers()) {
        state = handled(step);
      }
      dump("Outputs", state.outputs());
      for (Step<Mechanism.Finalizer> step : pipeline.finalizers()) {
        state = finished(step);
      }
      return new PipelineResult.Passed(state);
    } catch (StepFailedException e) {
      return failed(e.stepFailure);
    }
  }

  /** Returns the state with a subject that the guard does not refuse; a refusal is like one of an authenticator. */
  private PipelineState entered() throws StepFailedException {
    try {
      if (!isPublic()) {
        guard.checkProtected();
      }
      guard.checkClient(state.request());
      PipelineState authenticated = authenticated();
      Subject subject = authenticated.subject().orElseThrow();
      progress.authenticated(subject); // records of a refusal have it, too
      guard.checkSubject(subject);
      return authenticated;
    } catch (Failure.Unavailable e) {
      log.warn("Access is suspended", "_error", e.report());
      throw new StepFailedException(new StepFailure(e, "", AccessGuard.STEP));
    } catch (Failure e) {
      log.warn("Access is locked", "_error", e.report());
      throw new StepFailedException(new StepFailure(e, "", AccessGuard.STEP));
    }
  }

  /** Returns whether everybody is let in without credentials. */
  private boolean isPublic() {
    for (Step<?> step : pipeline.authenticators()) {
      if (!step.type().equals("anonymous")) {
        return false;
      }
    }
    return true;
  }

  private PipelineState authenticated() throws StepFailedException {
    if (pipeline.version() == RuleSetVersion.ALPHA4) {
      return state.with(chain(pipeline.authenticators()).orElseThrow(PipelineRun::unauthenticated));
    }
    SortedMap<String, Subject> principals = new TreeMap<>();
    List<Field> response = new ArrayList<>();
    for (String name : pipeline.authenticators().stream().map(Step::principal).distinct().toList()) {
      chain(pipeline.authenticators().stream().filter(step -> step.principal().equals(name)).toList())
          .ifPresent(identified -> {
            principals.put(name, identified.subject());
            response.addAll(identified.response());
          });
    }
    if (!principals.containsKey(Subject.DEFAULT)) {
      throw unauthenticated();
    }
    return state.with(new Mechanism.Identified(Subject.of(principals), List.copyOf(response)));
  }

  private static StepFailedException unauthenticated() {
    return new StepFailedException(new StepFailure(new Failure.Authentication("no authenticator applies"), "", ""));
  }

  /**
   * Runs authenticators until one succeeds; empty where the conditions of all are false. The failure of the last one is
   * reported, those before it are only logged.
   */
  private Optional<Mechanism.Identified> chain(List<Step<Mechanism.Authenticator>> chain) throws StepFailedException {
    Optional<StepFailedException> last = Optional.empty();
    Iterator<Step<Mechanism.Authenticator>> steps = chain.iterator();
    while (steps.hasNext()) {
      Step<Mechanism.Authenticator> step = steps.next();
      try {
        if (applies(step, state)) {
          logStep(step, "Authenticating using ", step.type(), " authenticator");
          Mechanism.Identified identified = step.mechanism().identify(state);
          Subject.check(identified.subject().id());
          progress.passed();
          return Optional.of(identified);
        }
      } catch (Failure e) {
        if (last.isPresent()) {
          log.info("Falling back to next configured one.");
        }
        log.warn("Pipeline step execution failed", "_step", step.id(), "_error", e.report());
        forgiven(e, steps.hasNext() && !isFinal(e));
        last = Optional.of(new StepFailedException(e, step));
        if (isFinal(e)) {
          throw last.get();
        }
      }
    }
    if (last.isPresent()) {
      throw last.get();
    }
    return Optional.empty();
  }

  private PipelineState handled(Step<? extends Mechanism> step) throws StepFailedException {
    try {
      return applies(step, state) ? passed(handled(step, step.mechanism())) : state;
    } catch (Failure e) {
      log.warn("Pipeline step execution failed", "_step", step.id(), "_error", e.report());
      boolean lenient = step.mechanism() instanceof Mechanism.Contextualizer c && c.lenient()
          && !isExhausted(e);
      forgiven(e, lenient);
      if (lenient) {
        log.info("Error ignored. Continuing pipeline execution");
        return state;
      }
      throw new StepFailedException(e, step);
    }
  }

  private PipelineState handled(Step<? extends Mechanism> step, Mechanism mechanism) throws Failure {
    return switch (mechanism) {
      case Mechanism.Authorizer authorizer -> {
        logStep(step, "Authorizing using ", step.type(), " authorizer");
        Mechanism.Outcome outcome = authorizer.authorize(state);
        PipelineState next = state.with(outcome.additions()).withResponse(outcome.response());
        yield outcome.output().map(output -> next.withOutput(step.id(), output)).orElse(next);
      }
      case Mechanism.Contextualizer contextualizer -> {
        logStep(step, "Contextualizing using ", step.type(), " contextualizer");
        yield contextualizer.contextualize(state).map(output -> state.withOutput(step.id(), output)).orElse(state);
      }
      case Mechanism.Authenticator _, Mechanism.Finalizer _, Mechanism.ErrorHandler _ ->
        throw new IllegalStateException("no handler: " + step.id());
    };
  }

  private PipelineState finished(Step<Mechanism.Finalizer> step) throws StepFailedException {
    try {
      if (!applies(step, state)) {
        return state;
      }
      logStep(step, "Finalizing using ", step.type().equals("jwt") ? "JWT" : step.type(), " finalizer");
      return passed(state.with(step.mechanism().finish(state)));
    } catch (Failure e) {
      log.warn("Pipeline step execution failed", "_step", step.id(), "_error", e.report());
      progress.failed(e);
      throw new StepFailedException(e, step);
    }
  }

  /** Returns whether memory is short: neither another step nor an error handler helps, the client may try again. */
  private static boolean isExhausted(Failure failure) {
    return failure.find(Failure.Exhausted.class).isPresent();
  }

  /** Returns whether no other authenticator is tried: one that accepts everybody would make limits ineffective. */
  private static boolean isFinal(Failure failure) {
    return isExhausted(failure) || failure.find(Failure.TooManyRequests.class).isPresent();
  }

  private PipelineResult failed(StepFailure stepFailure) {
    log.debug("Handling pipeline error");
    if (isExhausted(stepFailure.failure()) || stepFailure.failure() instanceof Failure.Unavailable) {
      return new PipelineResult.Failed(stepFailure, Optional.empty());
    }
    Optional<HandlerResponse> last = Optional.empty();
    boolean handled = false;
    for (Step<Mechanism.ErrorHandler> step : pipeline.errorHandlers()) {
      try {
        progress.begin(step);
        if (step.applies(() -> scope(stepFailure))) {
          logStep(step, "Executing error handler", "", "");
          Optional<HandlerResponse> answer = step.mechanism().answer(stepFailure, state);
          progress.passed();
          if (pipeline.version() == RuleSetVersion.ALPHA4) {
            return new PipelineResult.Failed(stepFailure, answer.or(() -> challenge(stepFailure)));
          }
          handled = true;
          last = answer; // a handler of type default takes back the response of those before it
        } else {
          progress.skipped();
        }
      } catch (Failure e) {
        log.error("Failed to execute error handler", "_step", step.id(), "_error", e.report());
        progress.failed(e);
        return new PipelineResult.Failed(new StepFailure(e, step.source(), step.id()), Optional.empty());
      }
    }
    if (!handled) {
      log.debug("No applicable error handler found");
    }
    return new PipelineResult.Failed(stepFailure, last.or(() -> challenge(stepFailure)));
  }

  /** Returns the response by which the failed authenticator asks the client to authenticate, if it has one. */
  private Optional<HandlerResponse> challenge(StepFailure stepFailure) {
    return stepFailure.failure().find(Failure.Authentication.class).flatMap(e -> e.challenge().of(state.request()));
  }

  /** Returns the variables of conditions of error handlers. */
  private Value.Dict scope(StepFailure stepFailure) {
    return new Value.Dict(Map.of("Request", state.request(), "Error",
        new ErrorObject(stepFailure.failure().kinds(), stepFailure.source(), stepFailure.step())));
  }

  private boolean applies(Step<?> step, PipelineState before) throws Failure {
    progress.begin(step);
    boolean applies = step.applies(before::scope);
    if (!applies) {
      logStep(step, "Execution skipped", "", "");
      progress.skipped();
    }
    return applies;
  }

  private PipelineState passed(PipelineState after) {
    progress.passed();
    return after;
  }

  private void forgiven(Failure failure, boolean goesOn) {
    if (goesOn) {
      progress.forgiven(failure);
    } else {
      progress.failed(failure);
    }
  }

  /** Logs what templates read, including secrets. */
  private void dump(String name, Value value) {
    if (log.isEnabled(Level.TRACE)) {
      log.trace(name + ": \n" + JsonText.plain(value));
    }
  }

  private void logStep(Step<?> step, String what, String type, String kind) {
    if (log.isEnabled(Level.DEBUG)) {
      log.debug(what + type + kind, "_step", step.id());
    }
  }

  /** Carries a failure and its step to the end of the run. */
  private static final class StepFailedException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient StepFailure stepFailure;

    StepFailedException(Failure failure, Step<?> step) {
      this(new StepFailure(failure, step.source(), step.id()));
    }

    StepFailedException(StepFailure stepFailure) {
      super(null, null, false, false);
      this.stepFailure = stepFailure;
    }
  }
}
