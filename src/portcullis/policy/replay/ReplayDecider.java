package portcullis.policy.replay;

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
import portcullis.crypto.keys.KeyRings;
import portcullis.http.message.Request;
import portcullis.http.message.ResponseStatusException;
import portcullis.http.message.UnreadableBodyException;
import portcullis.lang.inputs.HiddenInputs;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.cache.MonotonicClock;
import portcullis.policy.decision.Decider;
import portcullis.policy.decision.Decision;
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

/**
 * Decides requests by mechanisms whose calls are answered by what is at hand, at a time that is given with each
 * request; opens no connection. The mechanisms are made with {@link #caller}, {@link #clock} and {@link #silent}. For
 * one thread.
 */
public final class ReplayDecider {
  private static final Duration CACHED = Duration.ofHours(1);

  private final Log silent = new Log(Level.DISABLED, LogFormat.TEXT, new LogWriter(OutputStream.nullOutputStream()),
      clock(), "");
  private final ReplayClient client = new ReplayClient();
  private final RemoteServices services = new RemoteServices(new MonotonicClock());
  private final Set<Mechanism.Authenticator> used = Collections.newSetFromMap(new IdentityHashMap<>());
  private final ReplayCache cache;
  private final boolean remembers;
  private volatile Optional<Instant> now = Optional.empty();

  private ReplayDecider(boolean cached, boolean remembers) {
    this.cache = new ReplayCache(cached);
    this.remembers = remembers;
  }

  /**
   * Returns one that forgets after each request: what one leaves behind does not reach the next one.
   *
   * @param cached whether responses are cached within a request
   */
  public static ReplayDecider forgetting(boolean cached) {
    return new ReplayDecider(cached, false);
  }

  /** Returns one whose authenticators keep what they have learned, as keys of issuers, as those of a service do. */
  public static ReplayDecider remembering() {
    return new ReplayDecider(true, true);
  }

  /** The outcome of a request. @param refusal why it is refused before its rule is applied */
  public record Replayed(Optional<Decision> decision, String refusal, List<StepReport> steps, CallRecord calls) {}

  /** Returns the client of remote services for mechanisms. */
  public EndpointClient caller(KeyRings keys) {
    return new EndpointClient(ClientPool.of(() -> client), cache, keys, clock(), CallLimits.DEFAULT, services);
  }

  /** Returns the clock, which shows the time of the request. */
  public InstantSource clock() {
    return () -> now.orElseGet(Instant::now);
  }

  /** Returns the time of the request, and random numbers. @param seed of these */
  public HiddenInputs inputs(long seed) {
    return new HiddenInputs(clock(), new SplittableRandom(seed));
  }

  /** Returns a log that writes nothing. */
  public Log silent() {
    return silent;
  }

  /** Returns whether authenticators keep what they have learned. */
  boolean remembers() {
    return remembers;
  }

  /** Discards what the last request left behind, and sets the time; empty for that of the system. */
  public void begin(Optional<Instant> time) {
    now = time;
    cache.clear();
    services.reset();
    if (!remembers) {
      used.forEach(Mechanism.Authenticator::forget);
      used.clear();
    }
  }

  /** Answers the calls of mechanisms by this record from now on, and returns an observer that notes their steps. */
  public Run use(CallRecord calls) {
    client.use(calls);
    return new Run(calls);
  }

  /** Decides by these rules. @param subject in place of what authenticators find out */
  public Decider decider(Snapshot rules, Optional<Subject> subject) {
    return new Decider(() -> rules, silent).assuming(subject);
  }

  /**
   * Decides a request by these rules.
   *
   * @param answers to calls
   * @param cached what the cache had
   * @param subject in place of what authenticators find out
   */
  public Replayed replay(Request request, Snapshot rules, Instant time, List<? extends CannedAnswer> answers,
      Map<CacheKey, byte[]> cached, Optional<Subject> subject) {
    begin(Optional.of(time));
    cached.forEach((key, value) -> cache.put(key, value, CACHED));
    CallRecord calls = new CallRecord(answers);
    Run run = use(calls);
    try {
      Decision decision = inputs(0).call(() -> decider(rules, subject).decide(request, run));
      return new Replayed(Optional.of(decision), "", run.steps(), calls);
    } catch (ResponseStatusException refusal) {
      return new Replayed(Optional.empty(), String.valueOf(refusal.getMessage()), run.steps(), calls);
    } catch (UnreadableBodyException unread) {
      return new Replayed(Optional.empty(), String.valueOf(unread.getMessage()), run.steps(), calls);
    }
  }

  /** Notes the route and the steps, and which step makes the calls. */
  public final class Run implements Observer {
    private final StepSummary summary = new StepSummary(Observer.NONE);
    private final CallRecord calls;
    private String route = "";

    private Run(CallRecord calls) {
      this.calls = calls;
    }

    @Override
    public void ruled(String source, String rule, String path) {
      route = path;
    }

    @Override
    public void begun(Step<?> step) {
      calls.step(step.id());
      if (step.mechanism() instanceof Mechanism.Authenticator authenticator && !remembers) {
        used.add(authenticator);
      }
    }

    @Override
    public void ended(StepReport report) {
      summary.ended(report);
      calls.step("");
    }

    /** Returns the route; empty if the default rule decided. */
    public String route() {
      return route;
    }

    public List<StepReport> steps() {
      return summary.reports();
    }
  }
}
