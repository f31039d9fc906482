package portcullis.policy.rule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import portcullis.config.Decoders;
import portcullis.lang.expression.Available;
import portcullis.lang.expression.Expression;
import portcullis.lang.source.Problems;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.catalogue.Definition;
import portcullis.policy.catalogue.Definitions;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.pipeline.Pipeline;
import portcullis.policy.pipeline.RuleSetVersion;
import portcullis.policy.pipeline.Step;

/** Makes a pipeline of the steps as they are written; used once. */
final class PipelineBuilder {
  private static final Available IN_STEPS = Available.of("Request", "Subject", "Outputs");
  private static final Available IN_ERRORS = Available.of("Request", "Error");

  private final Catalogue catalogue;
  private final Problems problems;
  private final Interner interner;
  private final RuleSetVersion version;
  private final Set<String> seen = new HashSet<>();
  private final List<Step<Mechanism.Authenticator>> authenticators = new ArrayList<>();
  private final List<Step<? extends Mechanism>> handlers = new ArrayList<>();
  private final List<Step<Mechanism.Finalizer>> finalizers = new ArrayList<>();
  private final List<Step<Mechanism.ErrorHandler>> errorHandlers = new ArrayList<>();

  /**
   * @param interner for what rules have in common
   * @param version of the rule set of the steps
   */
  PipelineBuilder(Catalogue catalogue, Problems problems, Interner interner, RuleSetVersion version) {
    this.version = version;
    this.catalogue = catalogue;
    this.problems = problems;
    this.interner = interner;
  }

  /** Returns what these steps make; stages that have none are those of the base. */
  Pipeline build(List<StepDraft> execute, List<StepDraft> onError, Optional<Pipeline> base) {
    unique(execute);
    unique(onError);
    execute.forEach(this::add);
    onError.forEach(draft -> step(draft, catalogue.errorHandlers()).ifPresent(errorHandlers::add));
    Pipeline built = new Pipeline(
        List.copyOf(or(authenticators, base.map(Pipeline::authenticators), execute, "authenticator")),
        List.copyOf(handlers.isEmpty() ? base.map(Pipeline::handlers).orElse(List.of()) : handlers),
        List.copyOf(or(finalizers, base.map(Pipeline::finalizers), execute, "finalizer")),
        List.copyOf(errorHandlers.isEmpty() ? base.map(Pipeline::errorHandlers).orElse(List.of()) : errorHandlers),
        catalogue.context().log(), version);
    return interner.intern(built);
  }

  private static <T> List<T> or(List<T> own, Optional<List<T>> inherited, List<StepDraft> written, String kind) {
    boolean none = written.stream().noneMatch(d -> d.kind().equals(kind));
    return none ? inherited.orElse(List.of()) : own;
  }

  private void add(StepDraft draft) {
    boolean late = seen.contains("finalizer");
    boolean middle = seen.contains("authorizer") || seen.contains("contextualizer");
    seen.add(draft.kind());
    switch (draft.kind()) {
      case "authenticator" -> {
        ordered(draft, !middle && !late, "an authenticator comes before all other steps");
        step(draft, catalogue.authenticators()).ifPresent(authenticators::add);
      }
      case "authorizer" -> {
        ordered(draft, !late, "an authorizer comes before the finalizers");
        step(draft, catalogue.authorizers()).ifPresent(handlers::add);
      }
      case "contextualizer" -> {
        ordered(draft, !late, "a contextualizer comes before the finalizers");
        step(draft, catalogue.contextualizers()).ifPresent(handlers::add);
      }
      default -> step(draft, catalogue.finalizers()).ifPresent(finalizers::add);
    }
  }

  private void ordered(StepDraft draft, boolean inOrder, String rule) {
    if (!inOrder) {
      problems.error(draft.node().at(), draft.node().path(), rule, "move this step up");
    }
  }

  /** Ids that are written name outputs: a second step of an id would hide the first. */
  private void unique(List<StepDraft> drafts) {
    Map<String, StepDraft> seen = new HashMap<>();
    for (StepDraft draft : drafts) {
      StepDraft earlier = draft.id().isEmpty() ? null : seen.putIfAbsent(draft.name(), draft);
      if (earlier != null) {
        problems.error(draft.node().at(), draft.node().path(),
            "a second step with the id `" + Decoders.shortened(draft.name()) + "`",
            "the first is at " + earlier.node().at().text() + "; give one of them another");
      }
    }
  }

  private <K extends Mechanism> Optional<Step<K>> step(StepDraft draft, Definitions<K> definitions) {
    Optional<Definition<?, K>> definition = draft.mechanism().flatMap(id -> definitions.find(id, problems));
    Optional<Optional<Expression>> condition = condition(draft);
    return definition.flatMap(d -> definitions.mechanism(d, draft.config(), problems).flatMap(
        mechanism -> condition.map(c -> one(draft, new Step<>(draft.name(), d.id(), d.type().name(), c, mechanism,
            draft.principal())))));
  }

  /** Returns one object for all steps that use a definition without changes. */
  private <K extends Mechanism> Step<K> one(StepDraft draft, Step<K> step) {
    boolean plain = draft.config().isEmpty() && draft.condition().isEmpty();
    return plain ? interner.intern(List.of(draft.kind(), step.source(), step.id(), step.principal()), () -> step)
        : step;
  }

  private Optional<Optional<Expression>> condition(StepDraft draft) {
    if (draft.condition().isEmpty()) {
      return Optional.of(Optional.empty());
    }
    if (draft.condition().get().text().isBlank()) {
      problems.error(draft.condition().get().at(0), draft.condition().get().path(), "a condition must not be empty",
          "leave `if` out where there is none");
      return Optional.empty();
    }
    Available available = draft.kind().equals("error_handler") ? IN_ERRORS : IN_STEPS;
    return Expression.condition(draft.condition().get(),
        version == RuleSetVersion.ALPHA4 ? available.withoutPrincipals() : available, problems).map(Optional::of);
  }
}
