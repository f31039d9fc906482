package portcullis.verify;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import portcullis.config.Enforcement;
import portcullis.lang.source.Problems;
import portcullis.policy.decision.ErrorResponses;
import portcullis.policy.decision.Snapshot;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.pipeline.StepReport;
import portcullis.policy.replay.CallRecord;
import portcullis.policy.replay.Redecision;
import portcullis.policy.replay.ReplayDecider;
import portcullis.serve.runtime.CacheSettings;
import portcullis.serve.runtime.Program;
import portcullis.serve.runtime.Settings;
import portcullis.serve.service.DryRun;

/**
 * Decides requests as a service with this configuration does, with a clock and answers of remote services that are
 * given with each request. What one request leaves behind, as cached answers and open circuit breakers, does not reach
 * the next one. For one thread.
 */
final class OfflineDecider implements AutoCloseable {
  private final Settings settings;
  private final Enforcement enforcement;
  private final ReplayDecider kernel;
  private Optional<Program> program = Optional.empty();
  private boolean exhausted;

  /** Creates one that caches responses within a case, for {@link #run}. */
  OfflineDecider(Settings settings, Enforcement enforcement) {
    this(settings, enforcement, true);
  }

  private OfflineDecider(Settings settings, Enforcement enforcement, boolean cached) {
    this.settings = settings.withCache(new CacheSettings.Nowhere()).withoutDecisionLog().withOrigins();
    this.enforcement = enforcement;
    this.kernel = ReplayDecider.forgetting(cached);
  }

  /** Returns one without cache, for {@link #decide}. */
  static OfflineDecider uncached(Settings settings, Enforcement enforcement) {
    return new OfflineDecider(settings, enforcement, false);
  }

  /** What became of a request. */
  record Result(DryRun.Outcome outcome, List<StepReport> steps, CallRecord calls, String route, long nanos) {}

  /** Reads mechanisms and rules; adds what is wrong with them to the problems. */
  boolean load(Problems problems) {
    close();
    Program made = Program.unlimited(settings, enforcement, kernel.silent(), kernel.clock(),
        (_, keys) -> kernel.caller(keys), () -> exhausted, problems);
    if (!problems.hasErrors()) {
      made.load(problems);
    }
    program = Optional.of(made);
    return !problems.hasErrors();
  }

  Snapshot snapshot() {
    return program.orElseThrow().reloader().snapshot();
  }

  /** Returns what decides requests again by the loaded rules. */
  Redecision redecision() {
    return new Redecision(kernel, snapshot());
  }

  /** Decides the request of a test case. */
  Result run(TestCase test) {
    exhausted = test.exhausted();
    try {
      return run(test.request(), test.now(), test.seed(), test.stubs(), test.subject());
    } finally {
      exhausted = false;
    }
  }

  /**
   * @param seed of the random numbers
   * @param subject in place of what authenticators find out
   */
  Result run(DryRun.Draft request, Optional<Instant> time, long seed, List<Stub> stubs, Optional<Subject> subject) {
    kernel.begin(time);
    return kernel.inputs(seed).call(() -> decide(request, snapshot(), stubs, subject));
  }

  /**
   * Decides a request by other rules, which may be those of the snapshot with other steps.
   *
   * @param subject in place of what authenticators find out
   */
  Result decide(DryRun.Draft request, Snapshot rules, List<Stub> stubs, Optional<Subject> subject) {
    CallRecord calls = new CallRecord(stubs);
    ReplayDecider.Run run = kernel.use(calls);
    DryRun dry = new DryRun(settings.main(), new ErrorResponses(settings.main().respond(), kernel.silent()));
    long begin = System.nanoTime();
    DryRun.Outcome outcome = dry.of(request, kernel.decider(rules, subject), run);
    return new Result(outcome, run.steps(), calls, run.route(), System.nanoTime() - begin);
  }

  @Override
  public void close() {
    program.ifPresent(Program::close);
    program = Optional.empty();
  }
}
