package portcullis.http.server;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * This program's server, on clear text or in TLS, for any threads. Each connection has a virtual thread, which runs the
 * handlers as well unless there is an executor. An exchange ends when its handler returns: without an answer 500 is
 * sent, with half a body the connection is aborted. Exchanges are {@link portcullis.http.message.WireExchange}s, in TLS
 * {@link com.sun.net.httpserver.HttpsExchange}s as well; their attributes are their own.
 */
public final class WireServer extends HttpsServer {
  private final Optional<TlsHandshake> handshake;
  private final Listener listener;

  /** Creates an unbound server on clear text. */
  public WireServer(ServerLimits limits, RejectionListener refusals) throws IOException {
    this(limits, refusals, EnumSet.allOf(Protocol.class));
  }

  /** Creates an unbound server on clear text for these protocols only. */
  public WireServer(ServerLimits limits, RejectionListener refusals, Set<Protocol> protocols) throws IOException {
    handshake = Optional.empty();
    listener = new Listener(limits, refusals, protocols, Handshake.NONE, new Descriptors());
  }

  private WireServer(ServerLimits limits, RejectionListener refusals, Optional<TlsHandshake> tls,
      Descriptors descriptors)
      throws IOException {
    handshake = tls;
    Handshake first = tls.isPresent() ? tls.get() : Handshake.NONE;
    listener = new Listener(limits, refusals, EnumSet.allOf(Protocol.class), first, descriptors);
  }

  /** Creates an unbound server on clear text that shares the limit of file descriptors with others. */
  public static WireServer clear(ServerLimits limits, RejectionListener refusals, Descriptors descriptors)
      throws IOException {
    return new WireServer(limits, refusals, Optional.empty(), descriptors);
  }

  /**
   * Creates an unbound server in TLS that shares the limit of file descriptors with others. It accepts connections once
   * it has a configurator, which is called for every new connection, so that certificates can be renewed while it runs.
   */
  public static WireServer secure(ServerLimits limits, RejectionListener refusals, Descriptors descriptors)
      throws IOException {
    return new WireServer(limits, refusals, Optional.of(new TlsHandshake(refusals)), descriptors);
  }

  @Override
  public void setHttpsConfigurator(HttpsConfigurator configurator) {
    handshake.orElseThrow(() -> new IllegalStateException("a server on clear text has no TLS"))
        .configurator(configurator);
  }

  @Override
  public HttpsConfigurator getHttpsConfigurator() {
    return handshake.flatMap(TlsHandshake::configurator).orElse(null);
  }

  @Override
  public void bind(InetSocketAddress address, int backlog) throws IOException {
    listener.bind(address, backlog);
  }

  @Override
  public void start() {
    listener.start();
  }

  @Override
  public void setExecutor(Executor executor) {
    listener.executor(Optional.ofNullable(executor));
  }

  @Override
  public Executor getExecutor() {
    return listener.dispatch().executor().orElse(null);
  }

  @Override
  public void stop(int seconds) {
    if (seconds < 0) {
      throw new IllegalArgumentException("the time to stop within is negative");
    }
    stop(Duration.ofSeconds(seconds));
  }

  /**
   * Lets the next response on each connection of HTTP/1 be its last ({@code Connection: close}). New connections are
   * accepted as before, so that clients without any left to close lose no request when the server stops.
   */
  public void endAfterResponses() {
    listener.endAfterResponses();
  }

  /** Stops accepting connections; those that the system has accepted already are still served. */
  public void stopAccepting() {
    listener.stopAccepting();
  }

  /** Stops accepting, closes idle connections, waits that long for running requests, and closes the others. */
  public void stop(Duration within) {
    stop(within, () -> {});
  }

  /** @param late run a moment before the others are closed, which end as if their clients had left */
  public void stop(Duration within, Runnable late) {
    listener.stop(within, late);
  }

  /** Returns the number of requests in progress; those that have become tunnels count. */
  public int requests() {
    return listener.dispatch().requests();
  }

  /** Returns the number of open connections. */
  public int connections() {
    return listener.connections();
  }

  @Override
  public HttpContext createContext(String path, HttpHandler handler) {
    HttpContext context = createContext(path);
    context.setHandler(handler);
    return context;
  }

  @Override
  public HttpContext createContext(String path) {
    return listener.contexts().add(this, path);
  }

  @Override
  public void removeContext(String path) {
    listener.contexts().remove(path);
  }

  @Override
  public void removeContext(HttpContext context) {
    listener.contexts().remove(context.getPath());
  }

  @Override
  public InetSocketAddress getAddress() {
    return listener.address();
  }
}
