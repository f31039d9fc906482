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
 * Our server, on clear text or in TLS, for any threads. Each connection has a virtual thread, which runs the handlers
 * as well unless there is an executor. An exchange ends when its handler returns: without an answer that is 500, with
 * half a body the connection breaks off. Exchanges are {@link portcullis.http.message.WireExchange}s, in TLS
 * {@link com.sun.net.httpserver.HttpsExchange}s as well; their attributes are their own.
 */
public final class WireServer extends HttpsServer {
  private final Optional<TlsHandshake> handshake;
  private final Listener listener;

  /** One on clear text that is not bound yet. */
  public WireServer(ServerLimits limits, Refusals refusals) throws IOException {
    this(limits, refusals, EnumSet.allOf(Protocol.class));
  }

  /** One on clear text that speaks no other protocols than these. */
  public WireServer(ServerLimits limits, Refusals refusals, Set<Protocol> protocols) throws IOException {
    handshake = Optional.empty();
    listener = new Listener(limits, refusals, protocols, Handshake.NONE, new Descriptors());
  }

  private WireServer(ServerLimits limits, Refusals refusals, Optional<TlsHandshake> tls, Descriptors descriptors)
      throws IOException {
    handshake = tls;
    Handshake first = tls.isPresent() ? tls.get() : Handshake.NONE;
    listener = new Listener(limits, refusals, EnumSet.allOf(Protocol.class), first, descriptors);
  }

  /** One on clear text that is not bound yet, and shares file descriptors with others. */
  public static WireServer clear(ServerLimits limits, Refusals refusals, Descriptors descriptors) throws IOException {
    return new WireServer(limits, refusals, Optional.empty(), descriptors);
  }

  /**
   * One in TLS that is not bound yet, and takes nobody before it has a configurator. That and its context are asked for
   * every new connection, so that a certificate can be renewed while it runs.
   */
  public static WireServer secure(ServerLimits limits, Refusals refusals) throws IOException {
    return secure(limits, refusals, new Descriptors());
  }

  /** The same, sharing file descriptors with others. */
  public static WireServer secure(ServerLimits limits, Refusals refusals, Descriptors descriptors) throws IOException {
    return new WireServer(limits, refusals, Optional.of(new TlsHandshake()), descriptors);
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
    return listener.executor().orElse(null);
  }

  @Override
  public void stop(int seconds) {
    if (seconds < 0) {
      throw new IllegalArgumentException("no time to stop within");
    }
    stop(Duration.ofSeconds(seconds));
  }

  /** Takes no more connections, closes idle ones, waits for running requests that long, and closes what is left. */
  public void stop(Duration within) {
    listener.stop(within);
  }

  /** How many connections are open. */
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
