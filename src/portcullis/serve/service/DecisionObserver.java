package portcullis.serve.service;

import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import portcullis.observe.tracing.Span;
import portcullis.observe.tracing.Trace;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.pipeline.Observer;
import portcullis.policy.pipeline.Step;
import portcullis.policy.pipeline.StepReport;

/** Records spans and durations of the steps that decide one request. For the thread of the request. */
final class DecisionObserver implements Observer {
  private final Optional<Trace> trace;
  private final Optional<Instruments> instruments;
  private Optional<Span> step = Optional.empty();
  private String ruleSet = "";
  private String rule = "";
  private String route = "";

  /** @param trace empty if steps get no spans */
  DecisionObserver(Optional<Trace> trace, Optional<Instruments> instruments) {
    this.trace = trace;
    this.instruments = instruments;
  }

  @Override
  public void ruled(String source, String id, String path) {
    ruleSet = source;
    rule = id;
    route = path;
  }

  /** Adds the rule to the span of the request. */
  void describe(Span span) {
    if (!rule.isEmpty()) {
      span.set("rule.id", rule);
      span.set("ruleset.id", ruleSet);
    }
  }

  /** Returns the counter of the decision, if there is one. */
  Optional<LongAdder> decisionCounter(Optional<Boolean> granted) {
    return instruments
        .flatMap(i -> granted.map(allowed -> i.decisions().of(ruleSet, rule, allowed ? "allowed" : "denied")));
  }

  String ruleSet() {
    return ruleSet;
  }

  String rule() {
    return rule;
  }

  String route() {
    return route;
  }

  @Override
  public void begun(Step<?> which) {
    if (trace.isPresent()) {
      step = Optional.of(trace.get().enter(kind(which) + " " + which.id()));
    }
  }

  @Override
  public void ended(StepReport report) {
    if (trace.isPresent() && step.isPresent()) {
      describe(step.get(), report);
      step.get().end();
      trace.get().leave();
    }
    if (instruments.isPresent()) {
      instruments.get().steps().note(report);
    }
  }

  private static void describe(Span span, StepReport report) {
    span.set("step.id", report.step().id());
    span.set("mechanism.kind", kind(report.step()));
    span.set("mechanism.name", report.step().source());
    span.set("mechanism.type", report.step().type());
    span.set("step.outcome", report.outcome().text());
    span.set("step.cached", report.cached());
    switch (report.outcome()) {
      case PASSED, SKIPPED -> {
      }
      case FAILED, FORGIVEN, BROKEN ->
        span.failed(report.failure().map(Failure::title).orElse("internal error").replace(' ', '_'));
    }
  }

  /** Returns the kind of the mechanism of a step. */
  static String kind(Step<?> step) {
    return switch ((Mechanism) step.mechanism()) {
      case Mechanism.Authenticator _ -> "authenticator";
      case Mechanism.Authorizer _ -> "authorizer";
      case Mechanism.Contextualizer _ -> "contextualizer";
      case Mechanism.Finalizer _ -> "finalizer";
      case Mechanism.ErrorHandler _ -> "error_handler";
    };
  }
}
