package portcullis.http.server;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A path prefix with the handler of its requests. For any threads. */
final class Context extends HttpContext {
  private final HttpServer server;
  private final String path;
  private final Map<String, Object> attributes = new ConcurrentHashMap<>();
  private final List<Filter> filters = new CopyOnWriteArrayList<>();
  private volatile Optional<HttpHandler> handler = Optional.empty();
  private volatile Optional<Authenticator> authenticator = Optional.empty();

  Context(HttpServer server, String path) {
    this.server = server;
    this.path = path;
  }

  @Override
  public HttpHandler getHandler() {
    return handler.orElse(null);
  }

  Optional<HttpHandler> handler() {
    return handler;
  }

  @Override
  public void setHandler(HttpHandler once) {
    if (handler.isPresent()) {
      throw new IllegalArgumentException("handler already set");
    }
    handler = Optional.of(once);
  }

  @Override
  public String getPath() {
    return path;
  }

  @Override
  public HttpServer getServer() {
    return server;
  }

  @Override
  public Map<String, Object> getAttributes() {
    return attributes;
  }

  @Override
  public List<Filter> getFilters() {
    return filters;
  }

  @Override
  public Authenticator setAuthenticator(Authenticator next) {
    Authenticator before = getAuthenticator();
    authenticator = Optional.ofNullable(next);
    return before;
  }

  @Override
  public Authenticator getAuthenticator() {
    return authenticator.orElse(null);
  }

  Optional<Authenticator> authenticator() {
    return authenticator;
  }
}
