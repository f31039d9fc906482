package portcullis.server;

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
 * Our server in TLS; else as {@link WireServer}. Its exchanges are {@link com.sun.net.httpserver.HttpsExchange}s. The
 * configurator and its context are asked for every new connection, so that a certificate can be renewed while it runs.
 */
public final class SecureWireServer extends HttpsServer {
  private final TlsHandshake handshake;
  private final Listener listener;

  /** One that is not bound yet, and takes nobody before it has a configurator. */
  public SecureWireServer(ServerLimits limits, Refusals refusals) throws IOException {
    this(limits, refusals, EnumSet.allOf(Protocol.class));
  }

  /** One that speaks no other protocols than these. */
  public SecureWireServer(ServerLimits limits, Refusals refusals, Set<Protocol> protocols) throws IOException {
    handshake = new TlsHandshake(protocols);
    listener = new Listener(limits, refusals, protocols, handshake);
  }

  @Override
  public void setHttpsConfigurator(HttpsConfigurator configurator) {
    handshake.configurator(configurator);
  }

  @Override
  public HttpsConfigurator getHttpsConfigurator() {
    return handshake.configurator().orElse(null);
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
