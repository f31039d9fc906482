package portcullis.http.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import portcullis.http.message.WireRequest;
import portcullis.http.wire.ChannelRelay;
import portcullis.http.wire.DeadlineTimer;
import portcullis.http.wire.DirectBuffers;
import portcullis.http.wire.HeadLimits;

/**
 * The HTTP client of this program, with the contract of {@link HttpClient} for requests of its builder and for {@link
 * WireRequest}, whose response is also a {@link portcullis.http.message.WireResponse}. It never follows redirects, adds
 * cookies, credentials or User-Agent, or decodes bodies. It fails with a {@link ClientException}.
 *
 * <p>The stream of {@link HttpResponse.BodyHandlers#ofInputStream} reads directly from the connection: without limit
 * and without reading ahead; its {@code available} returns what can be read without waiting. The caller closes it; the
 * connection is used again if it was read to its end.
 *
 * <p>{@link #send} runs on the thread of its caller, except that a body which is not at hand is sent by another one; an
 * interrupt ends it and its connection. The timeout of a request bounds the wait for the head and, with a handler that
 * collects the body, the whole response. For any threads; closing the client ends its connections.
 */
public final class WireClient extends BaseClient {
  private final DeadlineTimer watch = new DeadlineTimer("client-watch");
  private final ClientLimits limits;
  private final Tls tls;
  private final Optional<ProxySelector> proxies;
  private final Version version;
  private final Dialer dialer;
  private final Pool pool;
  private final Exchange.Setting setting;

  /**
   * Creates a client without proxies, with the certificates that the machine trusts, which are read with the first
   * https request, and HTTP/2 if it is offered.
   */
  public WireClient(ClientLimits limits) {
    this(limits, Tls.OF_MACHINE, Optional.empty(), Version.HTTP_2);
  }

  /** Creates a client without proxies, with the TLS parameters of the context, and HTTP/2 if it is offered. */
  public WireClient(ClientLimits limits, SSLContext tls) {
    this(limits, new Tls(Optional.of(tls), Optional.empty()), Optional.empty(), Version.HTTP_2);
  }

  /**
   * Creates a client with all of its settings.
   *
   * @param tls keys and trust for https; names of certificates are always checked
   * @param proxies consulted for each request; the environment is not
   * @param version the newest to speak over TLS
   */
  public WireClient(ClientLimits limits, SSLContext tls, SSLParameters parameters, Optional<ProxySelector> proxies,
      Version version) {
    this(limits, new Tls(Optional.of(tls), Optional.of(parameters)), proxies, version);
  }

  private WireClient(ClientLimits limits, Tls tls, Optional<ProxySelector> proxies, Version version) {
    this.limits = limits;
    this.tls = tls;
    this.proxies = proxies;
    this.version = version;
    this.dialer = new Dialer(watch, tls);
    this.pool = new Pool(limits, dialer, watch);
    this.setting = new Exchange.Setting(pool, watch, limits,
        new HeadLimits(limits.maxHeadBytes(), limits.maxHeadFields()), new DirectBuffers(), new ChannelRelay(1),
        new Semaphore(limits.waitingThreads()));
  }

  /**
   * Sends the request and waits for its answer. The time limit of a request of the builder counts from here.
   *
   * @throws IOException a {@link ClientException}, or what the handler fails with
   * @throws IllegalArgumentException for a request that cannot be put in bytes as it is
   */
  @Override
  public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
      throws IOException, InterruptedException {
    long begin = System.nanoTime();
    boolean exact = request instanceof WireRequest;
    WireRequest.Parts parts = request instanceof WireRequest wire ? wire.parts() : PlainRequest.parts(request, limits);
    checked(parts);
    long end = request.timeout().isPresent() ? begin + parts.headLimit().toNanos() : Long.MAX_VALUE;
    OpenResponse open = exchange(parts, exact ? Long.MAX_VALUE : end);
    return new ClientResponse<>(request, open, new BodyReceiver(limits, end).body(open, handler));
  }

  @Override
  public AwaitedResponse begin(WireRequest request) throws IOException, InterruptedException {
    WireRequest.Parts parts = checked(request.parts());
    Route route = Route.of(parts, version, proxies);
    Exchange exchange = exchange(parts, route, false, Long.MAX_VALUE);
    return new Pending(request, exchange, route, exchange.begin());
  }

  /** A request that has been sent. @param quiet what {@link Exchange#begin} has returned */
  private final class Pending implements AwaitedResponse {
    private final WireRequest request;
    private final Exchange exchange;
    private final Route route;
    private final Optional<Boolean> quiet;

    Pending(WireRequest request, Exchange exchange, Route route, Optional<Boolean> quiet) {
      this.request = quiet.orElse(false) ? new WireRequest(exchange.parts()) : request;
      this.exchange = exchange;
      this.route = route;
      this.quiet = quiet;
    }

    @Override
    public boolean isQuiet() {
      return quiet.orElse(false);
    }

    @Override
    public boolean comes(int millis) {
      try {
        return exchange.comes(TimeUnit.MILLISECONDS.toNanos(millis));
      } catch (IOException _) {
        return true;
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return true;
      }
    }

    @Override
    public void whenComes(Runnable action) {
      exchange.whenComes(action);
    }

    @Override
    public HttpResponse<InputStream> get() throws IOException, InterruptedException {
      Optional<OpenResponse> first = quiet.isPresent() ? exchange.finish() : Optional.empty();
      OpenResponse open = first.isPresent() ? first.get() : again(exchange.again(), route, Long.MAX_VALUE);
      return new ClientResponse<>(request, open, open.body());
    }
  }

  @Override
  public int places(WireRequest request) {
    try {
      return pool.places(Route.of(request.parts(), version, proxies));
    } catch (UnreachableException _) {
      return Integer.MAX_VALUE; // which sending it will report
    }
  }

  private OpenResponse exchange(WireRequest.Parts parts, long end) throws IOException, InterruptedException {
    Route route = Route.of(parts, version, proxies);
    Exchange exchange = exchange(parts, route, false, end);
    Optional<OpenResponse> first = exchange.run();
    return first.isPresent() ? first.get() : again(exchange.again(), route, end);
  }

  private OpenResponse again(WireRequest.Parts parts, Route route, long end) throws IOException, InterruptedException {
    return exchange(parts, route, true, end).run().orElseThrow(() -> new NoResponseException(
        "the connection ended before a response, and so did that of the second attempt"));
  }

  private static WireRequest.Parts checked(WireRequest.Parts parts) {
    if (parts.method().equals("CONNECT")) {
      throw new IllegalArgumentException("CONNECT needs a tunnel, which this method does not return");
    }
    return parts;
  }

  private Exchange exchange(WireRequest.Parts parts, Route route, boolean fresh, long end)
      throws IOException, InterruptedException {
    return switch (carrier(parts, route, fresh, end)) {
      case Connection connection -> new Http1Exchange(connection, parts, setting, end);
      case Http2Connection connection -> new Http2Exchange(connection, parts, setting, end);
    };
  }

  private Carrier carrier(WireRequest.Parts parts, Route route, boolean fresh, long end)
      throws IOException, InterruptedException {
    boolean done = false;
    try {
      Carrier carrier = pool.take(route, fresh, Math.min(end, System.nanoTime() + limits.connect().toNanos()));
      done = true;
      return carrier;
    } finally {
      if (!done) {
        parts.body().close();
      }
    }
  }

  /** A WebSocket goes through a {@link portcullis.http.message.Tunnel}. */
  @Override
  public WebSocket.Builder newWebSocketBuilder() {
    throw new UnsupportedOperationException("this client has no WebSockets of its own");
  }

  /** Connections there are, in use and not. */
  public int connections() {
    return pool.size();
  }

  @Override
  public void shutdown() {
    pool.shut();
  }

  @Override
  public void shutdownNow() {
    pool.shut();
    pool.abort();
  }

  @Override
  public boolean awaitTermination(Duration duration) throws InterruptedException {
    boolean ended = pool.awaitEnd(duration.toNanos());
    if (ended) {
      dialer.close();
      watch.close();
    }
    return ended;
  }

  @Override
  public boolean isTerminated() {
    return pool.isEnded();
  }

  /** Waits for exchanges in progress as long as a response may take, then ends them. */
  @Override
  public void close() {
    shutdown();
    try {
      awaitTermination(limits.head());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    shutdownNow();
    dialer.close();
    watch.close();
  }

  @Override
  public Optional<Duration> connectTimeout() {
    return Optional.of(limits.connect());
  }

  @Override
  public Optional<ProxySelector> proxy() {
    return proxies;
  }

  @Override
  public SSLContext sslContext() {
    try {
      return tls.context();
    } catch (SSLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public SSLParameters sslParameters() {
    return tls.chosen().orElseGet(() -> sslContext().getDefaultSSLParameters());
  }

  @Override
  public Version version() {
    return version;
  }
}
