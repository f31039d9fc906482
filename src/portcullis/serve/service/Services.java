package portcullis.serve.service;

import java.io.IOException;
import java.net.http.HttpClient;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import portcullis.crypto.keys.PublishedKeys;
import portcullis.crypto.keys.ServerTls;
import portcullis.http.server.Descriptors;
import portcullis.observe.metrics.Metric;
import portcullis.observe.metrics.Registry;
import portcullis.observe.profiling.Profiler;
import portcullis.observe.telemetry.Log;
import portcullis.policy.decision.Decider;
import portcullis.policy.decision.ErrorResponses;
import portcullis.policy.event.EventReceiver;
import portcullis.policy.lock.LockTable;
import portcullis.serve.stream.StreamRegistry;

/** Starts the listeners of the services. */
public final class Services {
  private final TelemetrySinks telemetry;
  private final Log log;
  private final InstantSource clock;
  private final Optional<RequestExplainer> explainer;
  private final Optional<EventReceiver> events;
  private final Descriptors descriptors = new Descriptors();

  public Services(TelemetrySinks telemetry, Log log, InstantSource clock) {
    this(telemetry, Optional.empty(), log, clock);
  }

  /** @param explainer explains requests with debug tokens; empty if none are */
  public Services(TelemetrySinks telemetry, Optional<RequestExplainer> explainer, Log log, InstantSource clock) {
    this(telemetry, explainer, Optional.empty(), log, clock);
  }

  /**
   * @param explainer explains requests with debug tokens; empty if none are
   * @param events receives logout tokens and security events at the main service; empty if they are not accepted
   */
  public Services(TelemetrySinks telemetry, Optional<RequestExplainer> explainer, Optional<EventReceiver> events,
      Log log, InstantSource clock) {
    this.telemetry = telemetry;
    this.explainer = explainer;
    this.events = events;
    this.log = log;
    this.clock = clock;
  }

  /** Starts the proxy, which forwards allowed requests to their upstreams. */
  public Listener proxy(ListenerSettings settings, Optional<ServerTls> tls, Decider decider, HttpClient client)
      throws IOException {
    return proxy(settings, tls, decider, client, Optional.empty());
  }

  /** Starts the proxy, whose decisions a listener is notified of. */
  public Listener proxy(ListenerSettings settings, Optional<ServerTls> tls, Decider decider, HttpClient client,
      Optional<DecisionListener> listener) throws IOException {
    StreamRegistry streams = new StreamRegistry(decider, new LockTable(clock), settings.get(ListenerSettings.STREAMS),
        clock, log);
    streams.start();
    return proxy(settings, tls, decider, client, listener, streams);
  }

  /** Starts the proxy, whose exchanges are in a registry; that is closed with the listener. */
  public Listener proxy(ListenerSettings settings, Optional<ServerTls> tls, Decider decider, HttpClient client,
      Optional<DecisionListener> listener, StreamRegistry streams) throws IOException {
    ErrorResponses errors = new ErrorResponses(settings.respond(), log);
    Forwarder forwarder = new Forwarder(client, settings, errors, streams, log);
    DecisionHandler handler = new DecisionHandler(decider, settings.proxies(), errors, forwarder::forward,
        settings.limits().bodies(), listener.map(l -> watch(l, decider, new DryRun(settings, errors))),
        new DebugRequests(explainer, decider, new DryRun(settings, errors), log), log);
    return Listener.start("proxy", settings, tls, withEvents(settings, handler), ends(streams), telemetry, log, clock,
        descriptors);
  }

  private static Listener.Stopping ends(StreamRegistry streams) {
    return new Listener.Stopping() {
      @Override
      public void begins() {
        streams.stop();
      }

      @Override
      public void breaksOff() {
        streams.breakOff();
      }

      @Override
      public void stopped() {
        streams.close();
      }
    };
  }

  private Layer.Handler withEvents(ListenerSettings settings, Layer.Handler handler) {
    return events.<Layer.Handler>map(receiver -> new EventEndpoint(receiver, settings.proxies(), handler, log))
        .orElse(handler);
  }

  private static DecisionHandler.Watch watch(DecisionListener listener, Decider decider, DryRun run) {
    return (forwarding, request, decision, steps) -> listener.decided(run.outcome(forwarding, request, decision),
        decider.match(request), steps);
  }

  /** Starts the decision service, for proxies that forward requests themselves. */
  public Listener decision(ListenerSettings settings, Optional<ServerTls> tls, Decider decider) throws IOException {
    ErrorResponses errors = new ErrorResponses(settings.respond(), log);
    DecisionResponse grant = new DecisionResponse(settings.respond());
    DecisionHandler handler = new DecisionHandler(decider, settings.proxies(), errors, grant,
        settings.limits().bodies(), Optional.empty(),
        new DebugRequests(explainer, decider, new DryRun(settings, errors), log), log);
    return Listener.start("decision", settings.withoutCors(), tls,
        withEvents(settings, new UntrustedProxyCheck(settings.proxies(), handler, log)), telemetry, log, clock,
        descriptors);
  }

  /** Starts the metrics endpoint. */
  public Listener metrics(String host, int port, Registry registry, Metric target) throws IOException {
    return Listener.startUnobserved("metrics", ListenerSettings.plain(host, port),
        new MetricsEndpoint(registry, target, log), () -> {}, log,
        clock, descriptors);
  }

  /**
   * Starts the service for Envoy's external authorization.
   *
   * @param ready whether requests can be decided, for the health protocol of gRPC
   */
  public Listener envoy(ListenerSettings settings, Optional<ServerTls> tls, Decider decider, BooleanSupplier ready)
      throws IOException {
    ErrorResponses errors = new ErrorResponses(settings.respond(), log);
    GrpcHandler calls = new GrpcHandler(Map.of(CheckMethod.PATH, new CheckMethod(decider, settings, errors, log),
        HealthMethod.PATH, new HealthMethod(ready)));
    return Listener.startCalls("decision", settings.withoutCors(), tls, calls, telemetry, log, clock, descriptors);
  }

  /**
   * Starts the profiling endpoint, for Go's tools.
   *
   * @param command the command line of the program
   * @param hosts host names of accepted requests, besides IP addresses and {@code localhost}
   */
  public Listener profiling(String host, int port, List<String> command, List<String> hosts) throws IOException {
    ProfilingEndpoint endpoint = new ProfilingEndpoint(new Profiler(clock), command, hosts, log);
    return Listener.startUnobserved("profiling", ListenerSettings.plain(host, port), endpoint, endpoint::close, log,
        clock, descriptors);
  }

  /** Starts the management service. */
  public Listener management(ListenerSettings settings, Optional<ServerTls> tls, Supplier<PublishedKeys> keys,
      StatusSource condition) throws IOException {
    return management(settings, tls, keys, condition, ManagementEndpoints.NONE);
  }

  /** Starts the management service with further endpoints. */
  public Listener management(ListenerSettings settings, Optional<ServerTls> tls, Supplier<PublishedKeys> keys,
      StatusSource condition, ManagementEndpoints optional) throws IOException {
    Management management = new Management(keys, condition, settings.statusHosts(), optional);
    return Listener.start("management", settings, tls, management, telemetry, log, clock, descriptors);
  }
}
