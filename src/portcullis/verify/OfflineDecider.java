package portcullis.verify;

import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import portcullis.config.Enforcement;
import portcullis.http.message.Request;
import portcullis.http.message.ResponseStatusException;
import portcullis.http.message.UnreadableBodyException;
import portcullis.lang.inputs.HiddenInputs;
import portcullis.lang.source.Problems;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.cache.MonotonicClock;
import portcullis.policy.decision.Decider;
import portcullis.policy.decision.Decision;
import portcullis.policy.decision.ErrorResponses;
import portcullis.policy.decision.Snapshot;
import portcullis.policy.endpoint.CallLimits;
import portcullis.policy.endpoint.ClientPool;
import portcullis.policy.endpoint.EndpointClient;
import portcullis.policy.endpoint.RemoteServices;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.pipeline.Observer;
import portcullis.policy.pipeline.Step;
import portcullis.policy.pipeline.StepReport;
import portcullis.policy.pipeline.StepSummary;
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
  private final LogWriter nowhere = new LogWriter(OutputStream.nullOutputStream());
  private final StubbedClient client = new StubbedClient();
  private final RemoteServices services = new RemoteServices(new MonotonicClock());
  private final Set<Mechanism.Authenticator> used = Collections.newSetFromMap(new IdentityHashMap<>());
  private final CaseCache cache;
  private Optional<Instant> now = Optional.empty();
  private Optional<Program> program = Optional.empty();

  /** Creates one that caches responses within a case, for {@link #run}. */
  OfflineDecider(Settings settings, Enforcement enforcement) {
    this(settings, enforcement, true);
  }

  private OfflineDecider(Settings settings, Enforcement enforcement, boolean cached) {
    this.settings = settings.withCache(new CacheSettings.Nowhere()).withoutDecisionLog();
    this.enforcement = enforcement;
    this.cache = new CaseCache(cached);
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
    InstantSource clock = this::instant;
    Log silent = new Log(Level.DISABLED, LogFormat.TEXT, nowhere, clock, "");
    Program made = Program.make(settings, enforcement, false, silent, clock,
        (_, keys) -> new EndpointClient(ClientPool.of(() -> client), cache, keys, clock, CallLimits.DEFAULT, services),
        problems);
    if (!problems.hasErrors()) {
      made.load(problems);
    }
    program = Optional.of(made);
    return !problems.hasErrors();
  }

  private Instant instant() {
    return now.orElseGet(Instant::now);
  }

  Snapshot snapshot() {
    return program.orElseThrow().reloader().snapshot();
  }

  /**
   * @param seed of the random numbers
   * @param subject in place of what authenticators find out
   */
  Result run(DryRun.Draft request, Optional<Instant> time, long seed, List<Stub> stubs, Optional<Subject> subject) {
    now = time;
    clean();
    return inputs(seed).call(() -> result(request, snapshot(), new CallRecord(stubs), subject));
  }

  private HiddenInputs inputs(long seed) {
    return new HiddenInputs(this::instant, new SplittableRandom(seed));
  }

  private Result result(DryRun.Draft request, Snapshot rules, CallRecord calls, Optional<Subject> subject) {
    client.use(calls);
    StepSummary steps = new StepSummary(Observer.NONE);
    Log silent = new Log(Level.DISABLED, LogFormat.TEXT, nowhere, this::instant, "");
    Decider decider = new Decider(() -> rules, silent).assuming(subject);
    DryRun dry = new DryRun(settings.main(), new ErrorResponses(settings.main().respond(), silent));
    RouteObserver observer = new RouteObserver(steps, calls);
    long begin = System.nanoTime();
    DryRun.Outcome outcome = dry.of(request, decider, observer);
    return new Result(outcome, noted(steps), calls, observer.route, System.nanoTime() - begin);
  }

  /**
   * Decides a request by other rules, which may be those of the snapshot with other steps.
   *
   * @param subject in place of what authenticators find out
   */
  Result decide(DryRun.Draft request, Snapshot rules, List<Stub> stubs, Optional<Subject> subject) {
    return result(request, rules, new CallRecord(stubs), subject);
  }

  /** What becomes of a logged request. @param refusal why it is refused before its rule is applied */
  record Replayed(Optional<Decision> decision, String refusal, List<StepReport> steps, CallRecord calls) {}

  /**
   * Decides a logged request by these rules.
   *
   * @param cached what the cache had
   * @param subject in place of what authenticators find out
   */
  Replayed replay(Request request, Snapshot rules, Instant time, List<Stub> stubs, Map<CacheKey, byte[]> cached,
      Optional<Subject> subject) {
    now = Optional.of(time);
    clean();
    cached.forEach((key, value) -> cache.put(key, value, Duration.ofHours(1)));
    CallRecord calls = new CallRecord(stubs);
    client.use(calls);
    StepSummary steps = new StepSummary(Observer.NONE);
    Log silent = new Log(Level.DISABLED, LogFormat.TEXT, nowhere, this::instant, "");
    try {
      Decider decider = new Decider(() -> rules, silent).assuming(subject);
      Decision decision = inputs(0).call(() -> decider.decide(request, new RouteObserver(steps, calls)));
      return new Replayed(Optional.of(decision), "", noted(steps), calls);
    } catch (ResponseStatusException refusal) {
      return new Replayed(Optional.empty(), String.valueOf(refusal.getMessage()), noted(steps), calls);
    } catch (UnreadableBodyException unread) {
      return new Replayed(Optional.empty(), String.valueOf(unread.getMessage()), noted(steps), calls);
    }
  }

  /** Notes which authenticators were used, so that they can forget the request. */
  private List<StepReport> noted(StepSummary steps) {
    steps.reports().forEach(report -> {
      if (report.step().mechanism() instanceof Mechanism.Authenticator authenticator) {
        used.add(authenticator);
      }
    });
    return steps.reports();
  }

  /** Discards what the last request left behind. */
  private void clean() {
    cache.clear();
    services.reset();
    used.forEach(Mechanism.Authenticator::forget);
    used.clear();
  }

  @Override
  public void close() {
    program.ifPresent(Program::close);
    program = Optional.empty();
  }

  /** Notes the route, and which step makes the calls. */
  private static final class RouteObserver implements Observer {
    private final Observer next;
    private final CallRecord calls;
    private String route = "";

    RouteObserver(Observer next, CallRecord calls) {
      this.next = next;
      this.calls = calls;
    }

    @Override
    public void ruled(String source, String rule, String path) {
      route = path;
      next.ruled(source, rule, path);
    }

    @Override
    public void begun(Step<?> step) {
      calls.step(step.id());
      next.begun(step);
    }

    @Override
    public void ended(StepReport report) {
      next.ended(report);
      calls.step("");
    }
  }
}
