package portcullis.serve.runtime;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.telemetry.Log;
import portcullis.policy.decision.Decider;
import portcullis.policy.decision.ErrorResponses;
import portcullis.policy.decision.Snapshot;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.pipeline.Observer;
import portcullis.policy.pipeline.StepReport;
import portcullis.policy.pipeline.StepSummary;
import portcullis.policy.replay.CallRecord;
import portcullis.policy.replay.ReplayDecider;
import portcullis.serve.console.RequestTrial;
import portcullis.serve.console.StubAnswer;
import portcullis.serve.explain.Explanation;
import portcullis.serve.explain.LiveExplanations;
import portcullis.serve.explain.NearMisses;
import portcullis.serve.explain.SecretMask;
import portcullis.serve.provider.Change;
import portcullis.serve.service.DryRun;
import portcullis.serve.service.ListenerSettings;
import portcullis.serve.service.LoadHistory;

/**
 * Decides requests by the rules of a running program, one at a time: as it would, or with mechanisms of their own whose
 * calls get given answers. Thread safe.
 */
final class LiveTrial implements RequestTrial {
  private static final int PATIENCE_SECONDS = 2;

  private final Program program;
  private final Decider decider;
  private final boolean proxy;
  private final InstantSource clock;
  private final DryRun run;
  private final Semaphore turn = new Semaphore(1);
  private Optional<Offline> offline = Optional.empty();

  /** Rules of the same texts as those in use, whose mechanisms call nothing. */
  private record Offline(Map<String, SourceFile> texts, Settings settings, ReplayDecider kernel, Snapshot rules) {}

  /** @param decider decides as requests of clients are decided */
  LiveTrial(Program program, Decider decider, boolean proxy, InstantSource clock, Log log) {
    this.program = program;
    this.decider = decider;
    this.proxy = proxy;
    this.clock = clock;
    ListenerSettings settings = program.settings().main();
    this.run = new DryRun(settings, new ErrorResponses(settings.respond(), log));
  }

  @Override
  public Optional<Result> of(DryRun.Draft request, Optional<List<StubAnswer>> answers) throws InterruptedException {
    if (!turn.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      return Optional.empty();
    }
    try {
      return Optional.of(answers.isPresent() ? stubbed(request, answers.get()) : real(request));
    } finally {
      turn.release();
    }
  }

  private Result real(DryRun.Draft request) {
    StepSummary steps = new StepSummary(Observer.NONE);
    DryRun.Outcome outcome = run.of(request, decider, steps);
    return new Result(explanation(request, outcome, program.reloader().snapshot(), steps.reports()), List.of());
  }

  private Result stubbed(DryRun.Draft request, List<StubAnswer> answers) {
    Offline rules = offline();
    rules.kernel.begin(Optional.empty());
    CallRecord calls = new CallRecord(answers);
    ReplayDecider.Run observer = rules.kernel.use(calls);
    DryRun.Outcome outcome = rules.kernel.inputs(clock.millis())
        .call(() -> run.of(request, rules.kernel.decider(rules.rules, Optional.empty()), observer));
    SecretMask mask = SecretMask.of(request);
    List<String> unanswered = calls.unanswered().stream()
        .map(call -> call.method() + " " + call.url().replaceFirst("[?#].*", "") + " of step `" + call.step() + "`")
        .map(mask::masked).distinct().toList();
    return new Result(explanation(request, outcome, rules.rules, observer.steps()), unanswered);
  }

  private static Explanation explanation(DryRun.Draft request, DryRun.Outcome outcome, Snapshot rules,
      List<StepReport> steps) {
    Decider finder = new Decider(() -> rules, rules.catalogue().context().log());
    return new Explanation(request, outcome, outcome.request().flatMap(finder::match),
        outcome.request().map(seen -> new NearMisses(rules.index(), seen).found()).orElse(List.of()), steps,
        LiveExplanations::place, SecretMask.of(request));
  }

  /** Returns the rules in use, made again if they have changed since. */
  private Offline offline() {
    Map<String, SourceFile> texts = program.reloader().applied();
    Settings settings = program.latest();
    offline = offline.filter(known -> known.texts.equals(texts) && known.settings.equals(settings));
    if (offline.isEmpty()) {
      offline = Optional.of(made(texts, settings));
    }
    return offline.get();
  }

  private Offline made(Map<String, SourceFile> texts, Settings settings) {
    ReplayDecider kernel = ReplayDecider.forgetting(true);
    MechanismContext services = program.context();
    MechanismContext context = services.offline(kernel.caller(services.keys()), kernel.clock(), kernel.silent());
    Problems problems = new Problems();
    Reloader reloader = new Reloader(ConfigurationPlan.of(settings, context, proxy, problems),
        new LoadHistory(clock), kernel.silent());
    List<Change> changes = new ArrayList<>();
    texts.forEach((source, text) -> changes.add(new Change(source, Optional.of(text))));
    reloader.begin(changes, problems);
    if (problems.hasErrors()) {
      throw new IllegalStateException("the rules in use cannot be made again: " + problems.sorted().getFirst().text());
    }
    return new Offline(texts, settings, kernel, reloader.snapshot());
  }
}
