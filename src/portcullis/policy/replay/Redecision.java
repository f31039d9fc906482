package portcullis.policy.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import portcullis.http.message.Request;
import portcullis.lang.value.Value;
import portcullis.policy.decision.Decision;
import portcullis.policy.decision.FailureKind;
import portcullis.policy.decision.Snapshot;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.StepFailure;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.pipeline.AccessGuard;
import portcullis.policy.pipeline.Pipeline;
import portcullis.policy.pipeline.StepReport;
import portcullis.policy.rule.ConfigurationDigests;
import portcullis.policy.rule.Rule;
import portcullis.policy.rule.RuleOrigin;

/** Decides requests again by other rules, as far as what is known of them suffices for that. For one thread. */
public final class Redecision {
  /** The error of a request that was refused by a lock. */
  public static final String LOCKED = "locked";
  private static final String NO_RULE = "there was no rule";
  private static final String TOO_MANY = FailureKind.TOO_MANY_REQUESTS.key().orElseThrow();

  private static final Subject SOMEBODY = new Subject("", Value.Dict.EMPTY);
  /** Types whose result depends on nothing. */
  private static final Set<String> CONSTANT = Set.of("anonymous", "unauthorized", "allow", "deny", "noop");

  private final ReplayDecider decider;
  private final Snapshot rules;
  private final Snapshot routes;

  public Redecision(ReplayDecider decider, Snapshot rules) {
    this.decider = decider;
    this.rules = rules;
    this.routes = new Snapshot(rules.version(), rules.catalogue(), rules.index().mapped(Redecision::withoutSteps),
        rules.defaultRule().map(Redecision::withoutSteps), rules.protectedHeaders());
  }

  /** The result for a request by the current rules. */
  public sealed interface Result {
    /** @param rule that decides; empty for none. @param error its kind; empty if it is allowed */
    record Decided(boolean allowed, Optional<Rule> rule, String step, String error) implements Result {}

    /** The recorded inputs do not suffice. */
    record Undecided(String reason) implements Result {}

    /** Unchanged: rules are not involved, or decide the same. */
    record Unchanged() implements Result {}
  }

  private static Rule withoutSteps(Rule rule) {
    return rule.with(
        new Pipeline(List.of(), List.of(), List.of(), List.of(), rule.pipeline().log(), rule.pipeline().version()));
  }

  /**
   * Decides a request.
   *
   * @param evidence empty if only method, host and path of the request are known
   * @param missing what is not known of the request
   * @param incomplete why there is no evidence
   */
  public Result of(PastDecision past, Request request, Optional<Evidence> evidence, MissingParts missing,
      Supplier<String> incomplete) {
    if (past.error().equals(LOCKED)) {
      return new Result.Unchanged();
    }
    ReplayDecider.Replayed routed = decider.replay(request, routes, past.time(), List.of(), Map.of(),
        Optional.of(SOMEBODY));
    Optional<Rule> rule = routed.decision().flatMap(Redecision::rule);
    if (routed.decision().filter(Decision.Allow.class::isInstance).isEmpty()) {
      return decided(routed);
    }
    RuleOrigin origin = rule.orElseThrow().origin();
    RuleOrigin before = past.origin();
    boolean sameName = origin.rule().isEmpty() && PastDecision.name(rule.get()).equals(past.name());
    if (sameName || isSame(before, origin, RuleOrigin::rule, ConfigurationDigests.Effect::rule)) {
      Optional<Result> same = same(past, rule.get());
      if (same.isPresent()) {
        return same.get();
      }
    }
    boolean sameAuthenticators = isSame(before, origin, RuleOrigin::authenticators,
        ConfigurationDigests.Effect::authenticators);
    if (sameAuthenticators && past.steps().stream().noneMatch(PastDecision.Step::isLater)
        && past.steps().stream().anyMatch(PastDecision.Step::failed)) {
      return new Result.Decided(false, rule, past.steps().getLast().id(), past.error());
    }
    String change = sameAuthenticators ? "" : change(before, origin);
    return evidence.isPresent() ? exact(past, evidence.get(), request, missing, change)
        : constant(past, request, change, incomplete);
  }

  /** Compares what they do, or where that is not known, how they are written in configurations of the same text. */
  private static boolean isSame(RuleOrigin before, RuleOrigin now, Function<RuleOrigin, String> text,
      Function<ConfigurationDigests.Effect, String> effect) {
    String then = effect.apply(before.effect());
    String current = effect.apply(now.effect());
    return then.isEmpty() || current.isEmpty()
        ? !now.rule().isEmpty() && now.configuration().equals(before.configuration())
            && text.apply(now).equals(text.apply(before))
        : then.equals(current) && before.effect().contents().equals(now.effect().contents());
  }

  /** Returns why what the authenticators found out then does not count now. */
  private static String change(RuleOrigin before, RuleOrigin now) {
    if (before.configuration().isEmpty() || now.configuration().isEmpty()) {
      return NO_RULE;
    }
    if (!before.authenticators().equals(now.authenticators())) {
      return "its rule has other authenticators than then";
    }
    return before.effect().authenticators().isEmpty()
        ? "the configuration has changed since, and it is not known whether its authenticators have"
        : "the configuration of its authenticators has changed since, or a file that it names";
  }

  /** Returns the reason, and for an authenticator why it has to be executed. */
  private static String reason(String what, Optional<StepReport> step, String change) {
    boolean concerns = !change.isEmpty() && !change.equals(NO_RULE)
        && step.filter(report -> report.step().mechanism() instanceof Mechanism.Authenticator).isPresent();
    return concerns ? what + "; " + change : what;
  }

  /** The rule has the same steps as before; empty if it is not known how they ended. */
  private static Optional<Result> same(PastDecision past, Rule rule) {
    Optional<PastDecision.Step> failed = past.steps().stream().filter(PastDecision.Step::failed).findFirst();
    if (past.allowed() || failed.isPresent()) {
      return Optional.of(new Result.Decided(past.allowed(), Optional.of(rule),
          failed.map(PastDecision.Step::id).orElse(""), past.error()));
    }
    return past.steps().isEmpty() ? Optional.empty()
        : Optional.of(new Result.Decided(true, Optional.of(rule), "", ""));
  }

  private Result exact(PastDecision past, Evidence evidence, Request request, MissingParts missing,
      String change) {
    Optional<Subject> subject = change.isEmpty() ? evidence.subject() : Optional.empty();
    ReplayDecider.Replayed result = decider.replay(request, rules, past.time(), evidence.answers(), evidence.cached(),
        subject);
    if (missing.wanted().isPresent()) {
      return new Result.Undecided(missing.wanted().get());
    }
    if (!result.calls().unanswered().isEmpty()) {
      Call call = result.calls().unanswered().getFirst();
      Optional<StepReport> caller = result.steps().stream().filter(report -> report.step().id().equals(call.step()))
          .findFirst();
      return new Result.Undecided(call.step().isEmpty() ? "no response to a call is known"
          : reason("no response to the call of step `" + call.step() + "` is known", caller, change));
    }
    Optional<String> obstacle = obstacle(result).or(() -> countedBefore(past, result));
    return obstacle.isPresent() ? new Result.Undecided(obstacle.get()) : decided(result);
  }

  /** Returns why the result may be due to what earlier requests have left behind. */
  private Optional<String> obstacle(ReplayDecider.Replayed result) {
    if (!decider.remembers()) {
      return Optional.empty();
    }
    List<Failure> failures = new ArrayList<>();
    for (StepReport report : result.steps()) {
      report.failure().ifPresent(failures::add);
    }
    if (failures.isEmpty()) {
      return Optional.empty();
    }
    if (failures.stream().anyMatch(failure -> failure.find(Failure.Exhausted.class).isPresent())) {
      return Optional.of("there is not enough memory");
    }
    if (failures.stream().anyMatch(failure -> failure.find(Failure.TooManyRequests.class).isPresent())) {
      return Optional.of("it depends on the requests before");
    }
    boolean silent = result.calls().calls().isEmpty()
        && failures.stream().anyMatch(failure -> failure.find(Failure.Communication.class).isPresent());
    return silent ? Optional.of("responses of a remote service are not known") : Optional.empty();
  }

  /** Returns that requests before it were counted where a step has refused it for that, and is executed again. */
  private static Optional<String> countedBefore(PastDecision past, ReplayDecider.Replayed result) {
    if (!past.error().equals(TOO_MANY)) {
      return Optional.empty();
    }
    Optional<PastDecision.Step> refusing = past.steps().stream().filter(PastDecision.Step::failed)
        .reduce((_, last) -> last);
    return refusing
        .filter(step -> result.steps().stream().anyMatch(report -> report.step().id().equals(step.id())
            && report.outcome() != StepReport.Outcome.SKIPPED))
        .map(step -> "step `" + step.id() + "` had counted requests before it");
  }

  /** Decides without header fields, query and body: by steps that do not need them. */
  private Result constant(PastDecision past, Request request, String change, Supplier<String> incomplete) {
    boolean known = change.isEmpty() && past.steps().stream().anyMatch(PastDecision.Step::isLater);
    ReplayDecider.Replayed result = decider.replay(request, rules, past.time(), List.of(), Map.of(),
        known ? Optional.of(SOMEBODY) : Optional.empty());
    Optional<StepReport> open = result.steps().stream()
        .filter(report -> !(report.step().mechanism() instanceof Mechanism.ErrorHandler))
        .filter(report -> !CONSTANT.contains(report.step().type()) || report.step().condition().isPresent())
        .findFirst();
    return open.isPresent()
        ? new Result.Undecided(reason("step `" + open.get().step().id() + "` has to be executed, and "
            + incomplete.get(), open, change))
        : decided(result);
  }

  /** Returns the rule of a decision; empty if there was none. */
  public static Optional<Rule> rule(Decision decision) {
    return switch (decision) {
      case Decision.Allow allow -> Optional.of(allow.rule());
      case Decision.Own _ -> Optional.empty();
      case Decision.Refuse refuse -> refuse.rule();
    };
  }

  private static Result decided(ReplayDecider.Replayed result) {
    if (result.decision().isEmpty()) {
      return new Result.Decided(false, Optional.empty(), "", "precondition_error");
    }
    return switch (result.decision().get()) {
      case Decision.Allow allow -> new Result.Decided(true, Optional.of(allow.rule()), "", "");
      case Decision.Own _ -> new Result.Decided(false, Optional.empty(), "", "");
      case Decision.Refuse refuse -> new Result.Decided(false, refuse.rule(), refuse.stepFailure().step(),
          error(refuse.stepFailure().failure()));
    };
  }

  /** Returns the name of the kind of an error; {@value #LOCKED} for a refusal by a lock, whatever rules say. */
  public static String error(StepFailure failed) {
    return failed.step().equals(AccessGuard.STEP) ? LOCKED : error(failed.failure());
  }

  /** Returns the name of the kind of an error. */
  public static String error(Failure failure) {
    FailureKind kind = FailureKind.of(failure);
    return kind.key().orElse(kind.name().toLowerCase(Locale.ROOT));
  }
}
