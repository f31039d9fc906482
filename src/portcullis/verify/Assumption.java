package portcullis.verify;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.lang.value.Value;
import portcullis.policy.authorizer.Remote;
import portcullis.policy.contextualizer.GenericContextualizer;
import portcullis.policy.decision.Snapshot;
import portcullis.policy.finalizer.ClientCredentialsFinalizer;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.RequestAdditions;
import portcullis.policy.pipeline.Pipeline;
import portcullis.policy.pipeline.Step;
import portcullis.policy.rule.Rule;

/** What is assumed of remote services while rules are analyzed. */
enum Assumption {
  /** No service answers. */
  SILENT,
  /** Authorization services allow everything; other services answer without data. */
  CONSENTING,
  /** Like the one before, but calls are made, so that they are recorded. */
  OBSERVED;

  /** Returns the same rules with steps that behave as assumed. */
  Snapshot apply(Snapshot rules) {
    Map<Pipeline, Pipeline> changed = new IdentityHashMap<>();
    return new Snapshot(rules.version(), rules.catalogue(), rules.index().mapped(rule -> changed(rule, changed)),
        rules.defaultRule().map(rule -> changed(rule, changed)), rules.protectedHeaders());
  }

  private Rule changed(Rule rule, Map<Pipeline, Pipeline> known) {
    return rule.with(known.computeIfAbsent(rule.pipeline(), this::changed));
  }

  private Pipeline changed(Pipeline pipeline) {
    List<Step<? extends Mechanism>> handlers = pipeline.handlers().stream()
        .<Step<? extends Mechanism>>map(this::handler)
        .toList();
    List<Step<Mechanism.Finalizer>> finalizers = pipeline.finalizers().stream()
        .map(step -> step.mechanism() instanceof ClientCredentialsFinalizer
            ? with(step, (Mechanism.Finalizer) _ -> RequestAdditions.NONE)
            : step)
        .toList();
    return new Pipeline(pipeline.authenticators(), handlers, finalizers, pipeline.errorHandlers(), pipeline.log(),
        pipeline.version());
  }

  private Step<? extends Mechanism> handler(Step<? extends Mechanism> step) {
    return switch (step.mechanism()) {
      case Remote remote -> with(step, (Mechanism.Authorizer) state -> authorized(remote, state));
      case GenericContextualizer contextualizer -> with(step, new Answer(contextualizer, this));
      default -> step;
    };
  }

  private Mechanism.Outcome authorized(Remote remote, PipelineState state) throws Failure {
    if (this == SILENT) {
      throw silence();
    }
    if (this == OBSERVED) {
      try {
        return remote.authorize(state);
      } catch (Failure.Authorization | Failure.Communication _) {
        // refused by an answer that was made up: the call is what counts
      }
    }
    return Mechanism.Outcome.PASSED;
  }

  private static Failure silence() {
    return new Failure.Communication("no service answers", false);
  }

  private static <K extends Mechanism> Step<K> with(Step<?> step, K mechanism) {
    return new Step<>(step.id(), step.source(), step.type(), step.condition(), mechanism, step.principal());
  }

  /** A contextualizer whose service behaves as assumed. */
  private record Answer(GenericContextualizer contextualizer, Assumption assumed) implements Mechanism.Contextualizer {
    @Override
    public Optional<Value> contextualize(PipelineState state) throws Failure {
      return switch (assumed) {
        case SILENT -> throw silence();
        case CONSENTING -> Optional.of(Value.Dict.EMPTY);
        case OBSERVED -> contextualizer.contextualize(state);
      };
    }

    @Override
    public boolean lenient() {
      return contextualizer.lenient();
    }
  }
}
