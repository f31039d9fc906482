package portcullis.serve.runtime;

import java.io.IOException;
import java.net.http.HttpClient;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.observe.client.AnswerRecorder;
import portcullis.observe.client.ClientInstruments;
import portcullis.observe.client.InstrumentedClient;
import portcullis.observe.client.LoggingClient;
import portcullis.observe.decisions.AuditTrail;
import portcullis.observe.decisions.DecisionLog;
import portcullis.observe.decisions.DecisionLogSettings;
import portcullis.observe.decisions.RemoteAnswers;
import portcullis.observe.decisions.SharedAnswers;
import portcullis.observe.metrics.Instrument;
import portcullis.observe.metrics.Machine;
import portcullis.observe.metrics.Metric;
import portcullis.observe.metrics.Registry;
import portcullis.observe.metrics.VirtualMachine;
import portcullis.observe.otel.Otel;
import portcullis.observe.otel.Variables;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.tracing.Tracer;
import portcullis.policy.cache.Cache;
import portcullis.policy.cache.CacheKey;
import portcullis.serve.feed.DecisionFeed;
import portcullis.serve.service.Instruments;
import portcullis.serve.service.Listener;
import portcullis.serve.service.ListenerSettings;
import portcullis.serve.service.Services;
import portcullis.serve.service.TelemetrySinks;
import portcullis.serve.shadow.ShadowJudge;

/**
 * Traces and metrics of a run, according to settings and environment; the OpenTelemetry SDK is loaded only if it is
 * needed.
 */
public final class Telemetry implements AutoCloseable {
  private final Log log;
  private final Optional<Variables.Pull> pull;
  private final Variables variables;
  private final Optional<Registry> registry;
  private final Optional<Otel> sdk;
  private final Optional<Tracer> tracer;
  private final Optional<ClientInstruments> calls;
  private final Optional<Instruments> requests;
  private final Optional<Instrument<LongAdder>> questions;
  private final Optional<DecisionLog> decisions;
  private final SharedAnswers shared = new SharedAnswers();
  private final ShadowJudge shadow;
  private final Optional<DecisionFeed> feed;

  private Telemetry(Log log, Optional<Variables.Pull> pull, Variables variables, Optional<Registry> registry,
      Optional<Otel> sdk,
      Optional<Tracer> tracer, Optional<DecisionLog> decisions, Optional<DecisionFeed> feed) {
    this.feed = feed;
    this.decisions = decisions;
    this.log = log;
    this.pull = pull;
    this.variables = variables;
    this.registry = registry;
    this.sdk = sdk;
    this.tracer = tracer;
    this.shadow = new ShadowJudge(shared, decisions, registry, () -> log.warn(
        "Shadow rules are compared at normal priority, as the system does not allow setpriority"));
    this.calls = registry.map(ClientInstruments::new);
    this.requests = registry.map(Instruments::new);
    this.questions = registry
        .map(r -> r.counter("portcullis.cache.requests", "{request}", "Lookups in the cache", "cache.result"));
  }

  /** Adds what is wrong with variables of the environment that the settings need. */
  public static void check(Settings settings, Map<String, String> environment, Problems problems) {
    variables(settings, environment, problems);
  }

  private static Variables variables(Settings settings, Map<String, String> environment, Problems problems) {
    Problems found = new Problems();
    Variables variables = Variables.of(environment, found);
    if (sendsLines(settings) && variables.disabled()) {
      problems.error(Origin.BUILT_IN, "decision_log.otlp", "OpenTelemetry is disabled by OTEL_SDK_DISABLED", "");
    } else if (!variables.disabled() && (settings.tracing().enabled() || settings.metrics() || sendsLines(settings))) {
      problems.addAll(found);
    }
    return variables;
  }

  private static boolean sendsLines(Settings settings) {
    return settings.decisionLog().filter(DecisionLogSettings::usesOtlp).isPresent();
  }

  /** Starts what is enabled; invalid variables are added to the problems. */
  static Telemetry start(Settings settings, Map<String, String> environment, Log log, InstantSource clock,
      Problems problems) {
    Variables variables = variables(settings, environment, problems);
    boolean traces = settings.tracing().enabled() && !variables.disabled();
    boolean metrics = settings.metrics() && !variables.disabled();
    boolean pushed = metrics && variables.push();
    boolean pulled = metrics && variables.pull().isPresent();
    boolean shown = settings.management().get(ListenerSettings.CONSOLE).enabled();
    Optional<Registry> registry = pushed || pulled || shown ? Optional.of(new Registry()) : Optional.empty();
    registry.ifPresent(r -> {
      VirtualMachine.measure(r);
      Machine.measure(r);
      r.observe("portcullis.log.dropped", "{line}", "Dropped log lines", Metric.Kind.COUNTER,
          () -> List.of(Registry.sample(new Metric.Whole(log.dropped()))));
    });
    boolean lines = sendsLines(settings);
    Optional<Otel> sdk = !problems.hasErrors() && (traces || pushed || lines)
        ? Otel.start(environment, new Otel.Options(traces, traces ? List.copyOf(variables.traces()) : List.of(),
            settings.tracing().simple(), pushed ? registry : Optional.empty(), lines, Version.current()), log, clock,
            problems)
        : Optional.empty();
    Optional<DecisionLog> decisions = lines && sdk.isEmpty() ? Optional.empty()
        : settings.decisionLog()
            .flatMap(d -> DecisionLog.start(d, log, clock, event -> sdk.orElseThrow().lines(event), problems));
    registry.ifPresent(r -> r.observe("portcullis.decision_log.dropped", "{line}",
        "Lines that are missing in the decision log, of events too", Metric.Kind.COUNTER,
        () -> decisions.stream().map(written -> Registry.sample(new Metric.Whole(written.dropped()))).toList()));
    log.info(traces ? "OpenTelemetry tracing initialized." : "OpenTelemetry tracing disabled.");
    log.info(pushed || pulled ? "OpenTelemetry metrics initialized." : "OpenTelemetry metrics disabled.");
    return new Telemetry(log, pulled ? variables.pull() : Optional.empty(),
        variables, registry, sdk, traces ? sdk.map(Otel::tracer) : Optional.empty(),
        decisions, shown ? Optional.of(new DecisionFeed()) : Optional.empty());
  }

  /** Returns the client with its calls observed, where telemetry is on. */
  HttpClient watched(HttpClient client) {
    HttpClient dumping = log.isEnabled(Level.TRACE) ? new LoggingClient(client, log) : client;
    return tracer.isPresent() || calls.isPresent() ? new InstrumentedClient(dumping, tracer, calls) : dumping;
  }

  /** Returns the client for remote services, whose responses the decision log and shadow rules may need. */
  HttpClient recorded(HttpClient client) {
    return new AnswerRecorder(watched(client), shared);
  }

  /** Returns the cache, wrapped to record what is found, and to count hits and misses if metrics are enabled. */
  Cache counted(Cache cache) {
    Cache recorded = new ObservedCache(cache, new Recorder());
    if (questions.isEmpty()) {
      return recorded;
    }
    LongAdder hits = questions.get().of("hit");
    LongAdder misses = questions.get().of("miss");
    return new ObservedCache(recorded, (_, found) -> (found.isPresent() ? hits : misses).increment());
  }

  /** Records what the current request gets without a call, for the decision log and shadow rules. */
  private static final class Recorder implements ObservedCache.Observer {
    @Override
    public void looked(CacheKey key, Optional<byte[]> found) {
      found.ifPresent(value -> joined(key, () -> value));
    }

    @Override
    public void joined(CacheKey key, Supplier<byte[]> value) {
      RemoteAnswers.current().ifPresent(answers -> answers.add(key.hash(), value.get()));
    }
  }

  /** Returns the record of what administrators change. */
  AuditTrail audit() {
    return sinks().audit();
  }

  TelemetrySinks sinks() {
    return new TelemetrySinks(tracer, requests, decisions, Optional.of(shadow), feed);
  }

  /** Returns what decides requests by shadow rules. */
  ShadowJudge shadow() {
    return shadow;
  }

  /** Returns recent decisions; empty if there is no console. */
  Optional<DecisionFeed> feed() {
    return feed;
  }

  Optional<Registry> registry() {
    return registry;
  }

  /** Starts the listener for scrapes, if configured. */
  Optional<Listener> listen(Services services) throws IOException {
    if (registry.isEmpty() || pull.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(services.metrics(pull.get().host(), pull.get().port(), registry.get(),
        variables.resource(Version.current())));
  }

  @Override
  public void close() {
    shadow.close();
    decisions.ifPresent(DecisionLog::close);
    if (sdk.isPresent()) { // a reference to the method would load the class
      sdk.get().close();
    }
  }
}
