package portcullis.verify;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.lang.source.Origin;
import portcullis.lang.value.Value;
import portcullis.policy.decision.Snapshot;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.pipeline.Pipeline;
import portcullis.policy.pipeline.StepReport;
import portcullis.policy.replay.Call;
import portcullis.policy.rule.Rule;

/** Decides what becomes of requests without credentials, and of those of some subject. For one thread. */
final class AccessCheck {
  static final Subject SOMEBODY = new Subject("some-user", Value.Dict.EMPTY);
  private static final List<Stub> ANSWER = List.of(new Stub(Origin.BUILT_IN, Optional.empty(), Optional.of("*"),
      Optional.empty(), 200, Fields.of(List.of(new Field("Content-Type", "application/json"))),
      "{}".getBytes(StandardCharsets.UTF_8), Duration.ZERO, Optional.empty()));

  private final OfflineDecider kernel;
  private final Snapshot silent;
  private final Snapshot consenting;
  private final Snapshot observed;
  private final Map<Pipeline, Alternatives> alternatives = new IdentityHashMap<>();

  AccessCheck(OfflineDecider kernel) {
    this.kernel = kernel;
    this.silent = Assumption.SILENT.apply(kernel.snapshot());
    this.consenting = Assumption.CONSENTING.apply(kernel.snapshot());
    this.observed = Assumption.OBSERVED.apply(kernel.snapshot());
  }

  /** Whether a request is allowed. */
  enum Access {
    REFUSED,
    /** The answer of a remote service decides. */
    DEPENDS, ALLOWED
  }

  /**
   * The outcome of a request.
   *
   * @param rule that decides; empty for none
   * @param step that decides: the one that depends on an answer, or that refuses; empty for none
   * @param conditional whether a refusal depends on what else is in the request
   * @param authenticator that identified the subject
   * @param route the path of the route, as written
   * @param reason why it is refused; empty if it is not
   */
  record Decided(Access access, Probe probe, Optional<Rule> rule, Optional<StepReport> step, boolean conditional,
      Optional<StepReport> authenticator, String subject, String route, String reason) {}

  Snapshot rules() {
    return kernel.snapshot();
  }

  /** Decides a request that has no credentials. */
  Decided anonymous(Probe probe) {
    return best(probe, Optional.empty());
  }

  /** Decides a request of a subject without attributes, however it was authenticated. */
  Decided authenticated(Probe probe) {
    return authenticated(probe, SOMEBODY, Set.of());
  }

  /**
   * Decides a request of a subject; where the rule has no authenticator that identifies this subject, one without
   * credentials.
   *
   * @param excluded ids of authenticators that do not accept the subject
   */
  Decided authenticated(Probe probe, Subject subject, Set<String> excluded) {
    Decided decided = best(probe, Optional.of(subject));
    return decided.rule().filter(rule -> !identifies(rule, excluded)).isPresent() ? anonymous(probe) : decided;
  }

  private static boolean identifies(Rule rule, Set<String> excluded) {
    return rule.pipeline().authenticators().stream().takeWhile(step -> !step.mechanism().open())
        .anyMatch(step -> !step.type().equals("unauthorized") && !excluded.contains(step.source()));
  }

  /**
   * Decides this very request, without trying others like it; for a subject that no authenticator of the rule
   * identifies, one without credentials.
   */
  Decided exactly(Probe probe, Optional<Subject> subject) {
    Decided decided = decided(probe, subject);
    return subject.isPresent() && decided.rule.filter(rule -> !identifies(rule, Set.of())).isPresent()
        ? decided(probe, Optional.empty())
        : decided;
  }

  /** Returns requests like this one for which steps may have another outcome, and users. */
  Alternatives alternatives(Decided decided) {
    return decided.rule.map(Rule::pipeline).map(known -> alternatives.computeIfAbsent(known, Alternatives::of))
        .orElse(Alternatives.NONE);
  }

  /**
   * Decides the request and others like it: one with content that is usual, and those for which conditions and
   * expressions of its rule may have another result. Returns what is allowed most of all.
   */
  private Decided best(Probe probe, Optional<Subject> subject) {
    Decided best = decided(probe, subject);
    if (best.access == Access.ALLOWED || !probe.options().isEmpty()) {
      return best;
    }
    List<Probe> others = new ArrayList<>();
    if (best.conditional && probe.writes()) {
      others.add(probe.withJson("{}"));
    }
    others.addAll(alternatives(best).probes(probe, best.route));
    Optional<Rule> rule = best.rule;
    for (Probe other : others) {
      Decided next = decided(other, subject);
      boolean same = next.rule.filter(found -> rule.filter(found::is).isPresent()).isPresent();
      best = same && next.access.compareTo(best.access) > 0 ? next : best;
      if (best.access == Access.ALLOWED) {
        return best;
      }
    }
    return best;
  }

  private Decided decided(Probe probe, Optional<Subject> subject) {
    OfflineDecider.Result without = kernel.decide(probe.draft(), silent, List.of(), subject);
    if (without.outcome().allowed()) {
      return decided(Access.ALLOWED, probe, without);
    }
    OfflineDecider.Result with = kernel.decide(probe.draft(), consenting, List.of(), subject);
    return with.outcome().allowed() ? decided(Access.DEPENDS, probe, without) : decided(Access.REFUSED, probe, with);
  }

  private static Decided decided(Access access, Probe probe, OfflineDecider.Result result) {
    Optional<StepReport> failed = result.steps().stream()
        .filter(report -> report.outcome() == StepReport.Outcome.FAILED).findFirst();
    boolean conditional = failed.filter(AccessCheck::dependsOnRequest).isPresent();
    Optional<StepReport> authenticator = result.steps().stream()
        .filter(report -> report.outcome() == StepReport.Outcome.PASSED)
        .filter(report -> report.step().mechanism() instanceof Mechanism.Authenticator).findFirst();
    String subject = result.outcome().decision().map(CaseCheck::subject).orElse("");
    return new Decided(access, probe, CaseCheck.rule(result.outcome()), failed, conditional, authenticator, subject,
        result.route(), result.outcome().reason());
  }

  private static boolean dependsOnRequest(StepReport report) {
    return report.step().condition().isPresent() || report.step().type().equals("cel")
        || report.step().mechanism() instanceof Mechanism.Finalizer;
  }

  /** Returns the calls that a request of that subject leads to, as far as they can be foreseen. */
  List<String> calls(Probe probe) {
    List<String> out = new ArrayList<>();
    for (Call call : sent(probe, Optional.of(SOMEBODY))) {
      out.add(call.method() + " " + call.url() + (call.body().isEmpty() ? "" : " " + call.body()));
    }
    return out;
  }

  private List<Call> sent(Probe probe, Optional<Subject> subject) {
    return kernel.decide(probe.draft(), observed, ANSWER, subject).calls().calls();
  }

  /** Returns what becomes of a request where every service answers, and where none does. */
  List<OfflineDecider.Result> results(Probe probe, Optional<Subject> subject) {
    return List.of(kernel.decide(probe.draft(), observed, ANSWER, subject),
        kernel.decide(probe.draft(), silent, List.of(), subject));
  }
}
