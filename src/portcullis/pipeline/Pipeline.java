package portcullis.pipeline;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.expression.ErrorFacade;
import portcullis.mechanism.Failure;
import portcullis.mechanism.Fault;
import portcullis.mechanism.Mechanism;
import portcullis.mechanism.State;
import portcullis.message.Answer;
import portcullis.message.Request;
import portcullis.telemetry.Level;
import portcullis.telemetry.Log;
import portcullis.value.Value;

/**
 * The steps of a rule: the first authenticator that accepts tells the subject, authorizers and contextualizers run in their
 * order, then the finalizers; the first error handler that applies answers for a failure. Immutable and thread safe.
 */
public record Pipeline(List<Step<Mechanism.Authenticator>> authenticators, List<Step<? extends Mechanism>> handlers,
    List<Step<Mechanism.Finalizer>> finalizers, List<Step<Mechanism.ErrorHandler>> errorHandlers, Log log) {
  /** Runs the request through all of it. */
  public Passage run(Request request) {
    State state = State.of(request);
    try {
      state = authenticated(state);
      for (Step<? extends Mechanism> step : handlers) {
        state = handled(step, state);
      }
      for (Step<Mechanism.Finalizer> step : finalizers) {
        state = finished(step, state);
      }
      return new Passage.Passed(state);
    } catch (StepFailure e) {
      return failed(e.fault, state);
    }
  }

  private State authenticated(State state) throws StepFailure {
    Optional<StepFailure> last = Optional.empty();
    for (Step<Mechanism.Authenticator> step : authenticators) {
      try {
        if (taken(step, state)) {
          tell(step, "Authenticating using " + step.type() + " authenticator");
          return state.with(step.mechanism().authenticate(state));
        }
      } catch (Failure e) {
        if (last.isPresent()) {
          log.info("Falling back to next configured one.");
        }
        log.warn("Pipeline step execution failed", "_id", step.id(), "_error", e.report());
        last = Optional.of(new StepFailure(e, step));
      }
    }
    throw last.orElseGet(() -> new StepFailure(new Fault(new Failure.Authentication("no authenticator applies"), "", "")));
  }

  private State handled(Step<? extends Mechanism> step, State state) throws StepFailure {
    try {
      if (!taken(step, state)) {
        return state;
      }
      return switch (step.mechanism()) {
        case Mechanism.Authorizer authorizer -> {
          tell(step, "Authorizing using " + step.type() + " authorizer");
          Mechanism.Outcome outcome = authorizer.authorize(state);
          State next = state.with(outcome.additions());
          yield outcome.output().map(output -> next.withOutput(step.id(), output)).orElse(next);
        }
        case Mechanism.Contextualizer contextualizer -> {
          tell(step, "Contextualizing using " + step.type() + " contextualizer");
          yield contextualizer.contextualize(state).map(output -> state.withOutput(step.id(), output)).orElse(state);
        }
        case Mechanism.Authenticator _, Mechanism.Finalizer _, Mechanism.ErrorHandler _ ->
            throw new IllegalStateException("no handler: " + step.id());
      };
    } catch (Failure e) {
      log.warn("Pipeline step execution failed", "_id", step.id(), "_error", e.report());
      if (step.mechanism() instanceof Mechanism.Contextualizer c && c.lenient()) {
        log.info("Error ignored. Continuing pipeline execution");
        return state;
      }
      throw new StepFailure(e, step);
    }
  }

  private State finished(Step<Mechanism.Finalizer> step, State state) throws StepFailure {
    try {
      if (!taken(step, state)) {
        return state;
      }
      tell(step, "Finalizing using " + (step.type().equals("jwt") ? "JWT" : step.type()) + " finalizer");
      return state.with(step.mechanism().finish(state));
    } catch (Failure e) {
      log.warn("Pipeline step execution failed", "_id", step.id(), "_error", e.report());
      throw new StepFailure(e, step);
    }
  }

  private boolean taken(Step<?> step, State state) throws Failure {
    boolean applies = step.applies(state.scope());
    if (!applies) {
      tell(step, "Execution skipped");
    }
    return applies;
  }

  private void tell(Step<?> step, String message) {
    if (log.tells(Level.DEBUG)) {
      log.debug(message, "_id", step.id());
    }
  }

  private Passage failed(Fault fault, State state) {
    Value.Dict scope = new Value.Dict(Map.of("Request", state.request(), "Error",
        new ErrorFacade(fault.failure().kinds(), fault.source(), fault.step())));
    log.debug("Handling pipeline error");
    for (Step<Mechanism.ErrorHandler> step : errorHandlers) {
      try {
        if (step.applies(scope)) {
          tell(step, "Executing error handler");
          Optional<Answer> answer = step.mechanism().answer(fault, state);
          return new Passage.Failed(fault, answer);
        }
      } catch (Failure e) {
        log.error("Failed to execute error handler", "_id", step.id(), "_error", e.report());
        return new Passage.Failed(new Fault(e, step.source(), step.id()), Optional.empty());
      }
    }
    log.debug("No applicable error handler found");
    return new Passage.Failed(fault, Optional.empty());
  }

  /** Carries a failure and its step out of the run. */
  private static final class StepFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Fault fault;

    StepFailure(Failure failure, Step<?> step) {
      this(new Fault(failure, step.source(), step.id()));
    }

    StepFailure(Fault fault) {
      super(null, null, false, false);
      this.fault = fault;
    }
  }
}
