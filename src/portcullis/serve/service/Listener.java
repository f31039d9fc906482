package portcullis.serve.service;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import portcullis.crypto.keys.ServerTls;
import portcullis.http.message.IncomingRequest;
import portcullis.http.server.Descriptors;
import portcullis.http.server.RejectionListener;
import portcullis.http.server.WireServer;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;

/** A service on its address, with a virtual thread for each request. Started on creation, ended by {@link #stop}. */
public final class Listener {
  private static final int BACKLOG = 1024;

  /** Is notified when a listener stops. */
  interface Stopping {
    /** No more connections come, and tunnels end; other requests in progress have time. */
    default void begins() {}

    /** The time for requests in progress is over: those that have not ended are broken off from now on. */
    default void breaksOff() {}

    /** It has stopped. */
    void stopped();
  }

  private final String name;
  private final WireServer server;
  private final Stopping stopping;
  private final Log log;

  private Listener(String name, WireServer server, Stopping stopping, Log log) {
    this.name = name;
    this.server = server;
    this.stopping = stopping;
    this.log = log;
  }

  /** @throws IOException if the address cannot be bound, with a message for operators */
  static Listener start(String name, ListenerSettings settings, Optional<ServerTls> tls, Layer.Handler handler,
      TelemetrySinks telemetry, Log log, InstantSource clock, Descriptors descriptors) throws IOException {
    return start(name, settings, tls, handler, () -> {}, telemetry, log, clock, descriptors);
  }

  /** @param stopping is notified when it stops */
  static Listener start(String name, ListenerSettings settings, Optional<ServerTls> tls, Layer.Handler handler,
      Stopping stopping, TelemetrySinks telemetry, Log log, InstantSource clock, Descriptors descriptors)
      throws IOException {
    AccessLog access = new AccessLog(log, clock, new RequestFields(settings.proxies()), RequestIds.of(settings));
    List<Layer> layers = new ArrayList<>();
    if (telemetry.isActive()) {
      layers.add(new TelemetryLayer(telemetry, new HttpTelemetry(name, settings.host(), settings.port())));
    }
    layers.add(access);
    if (log.isEnabled(Level.TRACE)) {
      layers.add(new MessageDump(log));
    }
    if (telemetry.recordsDecisions()) {
      layers.add(new DecisionLayer(telemetry.decisions(), telemetry.shadow()));
    }
    telemetry.feed().filter(_ -> handler.decides()).ifPresent(feed -> layers.add(new FeedLayer(feed)));
    return start(name, settings, tls, layers, access, handler, stopping, log, clock, descriptors);
  }

  /** Starts a listener for gRPC calls, which are logged and measured by fields of their own. */
  static Listener startCalls(String name, ListenerSettings settings, Optional<ServerTls> tls, GrpcHandler calls,
      TelemetrySinks telemetry, Log log, InstantSource clock, Descriptors descriptors) throws IOException {
    AccessLog access = new AccessLog(log, clock, new RequestFields(settings.proxies()), RequestIds.of(settings));
    List<Layer> layers = new ArrayList<>();
    if (telemetry.isActive()) {
      layers.add(new TelemetryLayer(telemetry, new GrpcTelemetry(settings.host(), settings.port())));
    }
    layers.add(new AccessLog(log, clock, new CallFields(settings.proxies()), RequestIds.of(settings)));
    if (telemetry.recordsDecisions()) {
      layers.add(new DecisionLayer(telemetry.decisions(), telemetry.shadow()));
    }
    telemetry.feed().ifPresent(feed -> layers.add(new FeedLayer(feed)));
    return start(name, settings, tls, layers, access, calls, calls::close, log, clock, descriptors);
  }

  /** Starts a listener for frequent requests of other programs: without traces, metrics and TLS. */
  static Listener startUnobserved(String name, ListenerSettings settings, Layer.Handler handler, Stopping stopping,
      Log log,
      InstantSource clock, Descriptors descriptors) throws IOException {
    AccessLog access = new AccessLog(log, clock, new RequestFields(settings.proxies()), RequestIds.of(settings));
    List<Layer> layers = log.isEnabled(Level.TRACE) ? List.of(access, new MessageDump(log)) : List.of(access);
    return start(name, settings, Optional.empty(), layers, access, handler, stopping, log, clock, descriptors);
  }

  private static Listener start(String name, ListenerSettings settings, Optional<ServerTls> tls, List<Layer> outer,
      RejectionListener refusals, Layer.Handler handler, Stopping stopping, Log log, InstantSource clock,
      Descriptors descriptors)
      throws IOException {
    Function<HttpExchange, IncomingRequest> arrivals = handler instanceof GrpcHandler ? IncomingRequest::underAnyHost
        : IncomingRequest::of;
    List<Layer> layers = new ArrayList<>(outer);
    layers.add(new Recovery(log));
    settings.cors().ifPresent(cors -> layers.add(new CrossOrigin(cors)));
    Layer.Handler within = Layer.within(layers, handler);
    WireServer server = bound(name, settings, tls, refusals, descriptors);
    server.createContext("/",
        exchange -> handle(new Transaction(exchange, arrivals.apply(exchange), clock.instant()), within));
    server.start();
    log.info("Starting listening", "_service", name, "_address", server.getAddress());
    if (tls.isEmpty()) {
      log.warn("TLS is disabled.", "_service", name);
    }
    return new Listener(name, server, stopping, log);
  }

  private static void handle(Transaction transaction, Layer.Handler within) throws IOException {
    try {
      within.handle(transaction);
    } finally {
      transaction.returned();
    }
  }

  private static WireServer bound(String name, ListenerSettings settings, Optional<ServerTls> tls,
      RejectionListener refusals,
      Descriptors descriptors) throws IOException {
    InetSocketAddress address = address(settings);
    try {
      WireServer server = tls.isEmpty() ? WireServer.clear(settings.serverLimits(), refusals, descriptors)
          : secure(settings, tls.get(), refusals, descriptors);
      server.bind(address, BACKLOG);
      return server;
    } catch (BindException e) {
      throw new IOException("could not create listener for " + name + " service: port " + settings.port() + " on "
          + (settings.host().isEmpty() ? "all addresses" : settings.host()) + ": " + e.getMessage(), e);
    }
  }

  private static WireServer secure(ListenerSettings settings, ServerTls tls, RejectionListener refusals,
      Descriptors descriptors)
      throws IOException {
    WireServer server = WireServer.secure(settings.serverLimits(), refusals, descriptors);
    server.setHttpsConfigurator(new HttpsConfigurator(tls.context()) {
      @Override
      public SSLContext getSSLContext() {
        return tls.context();
      }

      @Override
      public void configure(HttpsParameters parameters) {
        parameters.setSSLParameters(tls.parameters());
      }
    });
    return server;
  }

  private static InetSocketAddress address(ListenerSettings settings) throws IOException {
    if (settings.host().isEmpty()) {
      return new InetSocketAddress(settings.port());
    }
    return new InetSocketAddress(InetAddress.getByName(settings.host()), settings.port());
  }

  /** Returns the port in use. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** Returns the number of requests in progress; WebSockets count. */
  public int requests() {
    return server.requests();
  }

  /** Lets the next response on each connection of HTTP/1 be its last; new connections are accepted as before. */
  public void endAfterResponses() {
    server.endAfterResponses();
  }

  /**
   * Takes no more connections, completes the requests of those that there are, for at most this time, and closes them.
   *
   * @return how many requests had not ended then
   */
  public int stop(Duration time) {
    server.stopAccepting();
    log.info("Tearing down service", "_service", name);
    stopping.begins();
    AtomicInteger late = new AtomicInteger();
    server.stop(time, () -> {
      late.set(server.requests());
      stopping.breaksOff();
    });
    stopping.stopped();
    log.info("Service stopped", "_service", name);
    return late.get();
  }
}
