package portcullis.serve.runtime;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import portcullis.background.SocketPoller;
import portcullis.crypto.keys.CryptoProvider;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.keys.PublishedKeys;
import portcullis.crypto.keys.ServerTls;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;
import portcullis.observe.decisions.AuditEvent;
import portcullis.observe.decisions.AuditException;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.MachineName;
import portcullis.policy.decision.Decider;
import portcullis.policy.event.EventReceiver;
import portcullis.policy.event.EventSettings;
import portcullis.policy.lock.LockTable;
import portcullis.policy.pipeline.AccessGuard;
import portcullis.serve.console.ChangeMemory;
import portcullis.serve.console.Console;
import portcullis.serve.console.Traffic;
import portcullis.serve.debug.ExplanationStore;
import portcullis.serve.explain.LiveExplanations;
import portcullis.serve.fleet.Fleet;
import portcullis.serve.fleet.FleetGuard;
import portcullis.serve.fleet.FleetSettings;
import portcullis.serve.fleet.Outage;
import portcullis.serve.lock.LockJournal;
import portcullis.serve.lock.LockSettings;
import portcullis.serve.service.ConsoleEndpoint;
import portcullis.serve.service.Listener;
import portcullis.serve.service.ListenerSettings;
import portcullis.serve.service.LockEndpoint;
import portcullis.serve.service.ManagementEndpoints;
import portcullis.serve.service.RequestExplainer;
import portcullis.serve.service.Services;
import portcullis.serve.service.StatusReport;
import portcullis.serve.service.StatusSource;
import portcullis.serve.stream.EndReason;
import portcullis.serve.stream.StreamRegistry;
import portcullis.serve.stream.StreamSettings;

/** The listeners and background tasks of a running program. For one thread. */
final class RunningServices {
  /** How long requests of the management service have once those of the others have ended. */
  private static final Duration LAST_PROBES = Duration.ofMillis(500);

  private final Program program;
  private final ReloadTask reloads;
  private final ChangeMemory changes;
  private final ServeOptions options;
  private final HttpClient client;
  private final Telemetry telemetry;
  private final Log log;
  private final InstantSource clock;
  private final LockTable locks;
  private final Decider decider;
  private final StreamRegistry streams;
  private final RuntimeStatus status;
  private final ServiceManager manager;
  private final ProblemMonitor problems;
  private final Optional<Fleet> fleet;
  private Optional<LockJournal> journal = Optional.empty();
  private final HeapMonitor heap = new HeapMonitor();
  private final List<Listener> listeners = new ArrayList<>();
  private Optional<Traffic> traffic = Optional.empty();
  private Optional<ConsoleEndpoint> console = Optional.empty();
  private Optional<Listener> management = Optional.empty();
  private boolean started;

  /** Creates the listeners of a program that has loaded its rules, without opening them. */
  RunningServices(Program program, ServeOptions options, HttpClient client, Telemetry telemetry, ServiceManager manager,
      Log log, InstantSource clock) {
    changes = new ChangeMemory(telemetry.audit(), clock);
    program.auditBy(changes);
    if (program.settings().management().get(ListenerSettings.CONSOLE).enabled()) {
      program.reloader().watchBy(changes::applied);
    }
    reloads = new ReloadTask(program, options.configuration(), manager, log);
    this.manager = manager;
    this.program = program;
    this.options = options;
    this.client = client;
    this.telemetry = telemetry;
    this.log = log;
    this.clock = clock;
    this.locks = new LockTable(clock);
    this.fleet = program.fleet().map(redis -> {
      FleetSettings own = program.settings().fleet().orElseThrow();
      return new Fleet(redis, own.outage(), own.name().isEmpty() ? FleetSettings.name(MachineName.read()) : own.name(),
          Version.current(),
          new OwnDigests(program)::now, locks, clock, log);
    });
    this.decider = new Decider(program.reloader()::snapshot, log, guard());
    this.streams = new StreamRegistry(decider, locks, program.settings().main().get(ListenerSettings.STREAMS), clock,
        log);
    this.status = new RuntimeStatus(program, clock.instant(), this::live);
    this.problems = new ProblemMonitor(program, clock, log);
  }

  /** Opens the listeners, the main one last. */
  void start() throws IOException {
    Value keys = reloads.know(); // before anything listens: who sees that may change a file at once
    try {
      program.audit().record(
          ChangeEvents.start(options, program.settings(), program.reloader().applied(),
              BundleRules.rolledBack(program.reloader().sets())).with("keys", keys));
    } catch (AuditException e) {
      throw new IOException(e.getMessage());
    }
    CryptoProvider.awaitPrepared();
    SocketPoller.open();
    Optional<ExplanationStore> explanations = program.settings().management().get(ListenerSettings.DEBUG)
        .map(settings -> new ExplanationStore(settings, clock));
    Services services = new Services(telemetry.sinks(), explanations.flatMap(this::explainer), events(), log, clock);
    telemetry.registry().ifPresent(registry -> {
      new ProgramMetrics(program).measure(registry, clock);
      new StreamMetrics(streams, locks).measure(registry);
      fleet.ifPresent(one -> new FleetMetrics(one::status).measure(registry));
    });
    telemetry.listen(services).ifPresent(listeners::add);
    Settings.Profiling profiling = program.settings().profiling();
    if (profiling.enabled()) {
      listeners.add(services.profiling(profiling.host(), profiling.port(), command(),
          program.settings().management().statusHosts()));
    }
    program.compare(telemetry.shadow());
    Optional<LockEndpoint> endpoint = locks();
    console = console();
    streams.start();
    fleet.ifPresent(Fleet::start);
    management = Optional.of(services.management(program.settings().management(), program.tls().management(),
        this::keys, status, new ManagementEndpoints(endpoint, console, explanations)));
    listeners.add(main(services));
    status.listens();
    CryptoProvider.load();
    reloads.start();
    heap.start();
    announce();
    problems.start();
  }

  /** Loads the locks of the last run, and returns the endpoint by which they are changed, if it has a key. */
  private Optional<LockEndpoint> locks() throws IOException {
    LockSettings settings = program.settings().management().get(ListenerSettings.LOCKS);
    if (settings.stateFile().isPresent()) {
      LocatedText file = settings.stateFile().get();
      try {
        LockJournal opened = LockJournal.open(Path.of(file.text()), locks, log);
        journal = Optional.of(opened);
        problems.include(opened::restore);
      } catch (IOException e) {
        throw new IOException(
            "%s: %s: %s".formatted(file.at(0).text(), file.path(), LockJournal.refusal(file.text(), e)), e);
      }
    }
    BooleanSupplier isSaved = journal.<BooleanSupplier>map(kept -> () -> !kept.hasFailed()).orElse(() -> true);
    BooleanSupplier isShared = fleet.<BooleanSupplier>map(one -> one::awaitShared).orElse(() -> true);
    return settings.key(new Problems()).map(key -> new LockEndpoint(locks, new LockEndpoint.Reach(isSaved, isShared),
        () -> program.context().limits().lockouts(), key, changes, clock, log));
  }

  /** Returns the console if it is enabled. */
  private Optional<ConsoleEndpoint> console() {
    traffic = telemetry.registry().filter(_ -> telemetry.feed().isPresent())
        .map(registry -> new Traffic(registry, clock));
    traffic.ifPresent(Traffic::start);
    Decider operators = new Decider(program.reloader()::console, log, locks);
    return traffic.map(shown -> new Console(operators, registry(operators),
        program.settings().management().statusHosts(), ConsolePages.of(shown, telemetry.feed().orElseThrow(),
            telemetry.registry().orElseThrow(), program, status, changes,
            new LiveTrial(program, decider, options.isProxy(), clock, log), clock, log),
        Version.current(), log, clock));
  }

  /** Returns what ends live pages of the console; their number counts in no metric. */
  private StreamRegistry registry(Decider operators) {
    StreamRegistry out = new StreamRegistry(operators, locks, StreamSettings.DEFAULT, clock, log);
    out.start();
    return out;
  }

  private Optional<RequestExplainer> explainer(ExplanationStore store) {
    return program.settings().management().get(ListenerSettings.DEBUG)
        .flatMap(settings -> settings.key(new Problems()))
        .map(key -> new LiveExplanations(key, store, clock, log));
  }

  private Optional<EventReceiver> events() {
    Optional<EventSettings> settings = program.settings().main().get(ListenerSettings.EVENTS);
    if (settings.isPresent() && options.service() == ServeOptions.MainService.ENVOY) {
      log.warn("serve.security_events has no effect: calls of Envoy carry no logout tokens; run a decision service "
          + "beside it");
    }
    return settings.map(all -> new EventReceiver(all, locks, changes, program.context()));
  }

  /** Logs at every level what runs, where, and which security checks are disabled. */
  private void announce() {
    String main = url(program.settings().main(), listeners.getLast());
    String managed = url(program.settings().management(), management.orElseThrow());
    int rules = program.loadHistory().ruleSets().stream().mapToInt(StatusReport.RuleSet::rules).sum();
    String insecure = options.disabledChecks().isEmpty() ? "nothing" : String.join(" ", options.disabledChecks());
    log.notice("Portcullis started", "_version", Version.current(), "_service",
        options.service().name().toLowerCase(Locale.ROOT), "_address", main, "_management", managed, "_rules", rules,
        "_insecure", insecure, "_crypto", CryptoProvider.await().text());
    started = true;
    manager.ready("%s, %s, management %s".formatted(main, rules == 1 ? "1 rule" : rules + " rules", managed));
  }

  private static String url(ListenerSettings settings, Listener listener) {
    String host = settings.host().isEmpty() ? "*" : settings.host();
    boolean bare = host.contains(":") && !host.startsWith("[");
    return (settings.tls().isPresent() ? "https://" : "http://") + (bare ? "[" + host + "]" : host) + ":"
        + listener.port();
  }

  private Listener main(Services services) throws IOException {
    ListenerSettings settings = program.settings().main();
    Optional<ServerTls> tls = program.tls().main();
    return switch (options.service()) {
      case PROXY -> services.proxy(settings, tls, decider, client, options.decisions(), streams);
      case DECISION -> services.decision(settings, tls, decider);
      case ENVOY -> services.envoy(settings, tls, decider, () -> status.unreadyReasons().isEmpty());
    };
  }

  private StatusReport.Live live() {
    Map<String, Long> active = new LinkedHashMap<>();
    streams.active().forEach((kind, count) -> active.put(kind.text(), (long) count));
    Map<String, Long> ended = new LinkedHashMap<>();
    for (EndReason reason : EndReason.values()) {
      ended.put(reason.text(), streams.ended(reason));
    }
    return new StatusReport.Live(active, ended, locks.inForce(), fleet.map(Fleet::status));
  }

  /** Returns the current status. */
  StatusSource status() {
    return status;
  }

  private AccessGuard guard() {
    boolean denies = program.settings().fleet().filter(one -> one.outage() == Outage.DENY).isPresent();
    return fleet.filter(_ -> denies).map(one -> (AccessGuard) new FleetGuard(locks, one::isAway)).orElse(locks);
  }

  private static List<String> command() {
    ProcessHandle.Info info = ProcessHandle.current().info();
    List<String> out = new ArrayList<>(List.of(info.command().orElse("portcullis")));
    info.arguments().ifPresent(arguments -> out.addAll(List.of(arguments)));
    return out;
  }

  private PublishedKeys keys() {
    try {
      return PublishedKeys.of(program.reloader().snapshot().catalogue().context().keys().published());
    } catch (KeyMaterialException e) {
      log.error("Failed to publish keys", "_error", e.getMessage());
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  /**
   * Goes on for a while, not ready any more and closing connections after their responses, so that load balancers stop
   * sending requests and keep no connection that will end; then stops.
   */
  void drain(Duration time) throws InterruptedException {
    leave();
    Duration delay = program.settings().main().get(ListenerSettings.SHUTDOWN_DELAY);
    if (delay.isPositive()) {
      log.notice("Not ready any more", "_stops_in", delay.toSeconds() + "s");
      listeners.forEach(Listener::endAfterResponses);
      management.ifPresent(Listener::endAfterResponses);
      Thread.sleep(delay);
    }
    close(time);
  }

  void stop(Duration time) {
    leave();
    close(time);
  }

  private void leave() {
    program.audit().note(AuditEvent.of("stop", "signal"));
    status.stops();
    manager.stopping();
  }

  /**
   * Completes requests in progress on all listeners at once, for at most this time in all, and closes them; the
   * management service answers probes until then. What requests depend on is closed last.
   */
  private void close(Duration time) {
    long begin = System.nanoTime();
    if (started) {
      log.notice("Portcullis stops", "_requests", listeners.getLast().requests());
    }
    reloads.close();
    heap.close();
    problems.close();
    console.ifPresent(ConsoleEndpoint::close);
    traffic.ifPresent(Traffic::close);
    program.unwatch();
    AtomicInteger brokenOff = new AtomicInteger();
    List<Thread> stopping = listeners.reversed().stream().map(listener -> Thread.ofVirtual().name("listener-stop")
        .start(() -> brokenOff.addAndGet(listener.stop(time)))).toList();
    try {
      for (Thread thread : stopping) {
        thread.join();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    management.ifPresent(listener -> brokenOff.addAndGet(listener.stop(time.isZero() ? time : LAST_PROBES)));
    streams.close();
    fleet.ifPresent(Fleet::leave);
    fleet.ifPresent(Fleet::close);
    journal.ifPresent(LockJournal::close);
    program.close();
    if (started) {
      log.notice("Portcullis stopped", "_duration_ms", (System.nanoTime() - begin) / 1_000_000, "_broken_off",
          brokenOff.get());
    }
  }
}
