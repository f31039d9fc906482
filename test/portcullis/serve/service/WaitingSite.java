package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import portcullis.config.Yaml;
import portcullis.crypto.keys.ServerTls;
import portcullis.fixture.Await;
import portcullis.http.client.AwaitedResponse;
import portcullis.http.client.BaseClient;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.http.message.Fields;
import portcullis.http.message.WireExchange;
import portcullis.http.message.WireRequest;
import portcullis.http.server.RejectionListener;
import portcullis.http.server.ServerLimits;
import portcullis.http.server.WireServer;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.client.InstrumentedClient;
import portcullis.observe.decisions.DecisionLog;
import portcullis.observe.decisions.DecisionLogSettings;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.lock.LockTable;
import portcullis.serve.stream.StreamRegistry;
import portcullis.serve.stream.StreamSettings;

/** A proxy whose upstream answers when a test lets it, and what is recorded of requests. */
final class WaitingSite implements AutoCloseable {
  private static final String MECHANISMS = """
      authenticators:
      - {id: anon, type: anonymous}
      - id: session
        type: generic
        config:
          identity_info_endpoint: {url: '%2$s://localhost:%1$d/session', method: GET}
          authentication_data_source: [{query_parameter: id}]
          subject: {id: user}
          session_lifespan: {not_after: ends}
      authorizers:
      - {id: reads, type: cel, config: {expressions: [{expression: 'size(Request.Body()) > 0'}]}}
      """;
  private static final String RULES = """
      - id: all
        match: {routes: [{path: /**}]}
        forward_to: {host: 'localhost:%1$d', rewrite: {scheme: %2$s}}
        execute: [{authenticator: anon}]
      - id: expiring
        match: {routes: [{path: /expiring}]}
        forward_to: {host: 'localhost:%1$d', rewrite: {scheme: %2$s}}
        execute: [{authenticator: session}]
      - id: reading
        match: {routes: [{path: /reading}]}
        forward_to: {host: 'localhost:%1$d', rewrite: {scheme: %2$s}}
        execute: [{authenticator: anon}, {authorizer: reads}]
      - id: revalidated
        match: {routes: [{path: /revalidated}]}
        forward_to: {host: 'localhost:%1$d', rewrite: {scheme: %2$s}}
        revalidate: 4s
        execute: [{authenticator: session}]
      """;
  static final Fields CALL = Fields.of("Host", "a.test", "Content-Type", "application/grpc", "TE", "trailers");
  private static final Duration LONG = Duration.ofMinutes(2);

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final LogWriter writer = new LogWriter(written);
  private final Log log = new Log(Level.ERROR, LogFormat.GELF, writer, InstantSource.system(), "test");
  private final BlockingQueue<Held> held = new LinkedBlockingQueue<>();
  private final Path decided = Files.createTempDirectory("decided").resolve("decisions.log");
  private final DecisionLog decisions;
  private final AtomicInteger suspended = new AtomicInteger();
  private final AtomicInteger resumed = new AtomicInteger();
  final WireServer upstream;
  private final boolean tls;
  private final Sides sides;
  final Observing observing = new Observing();
  final LockTable locks = new LockTable(InstantSource.system());
  final WireClient caller;
  final WireClient client;
  final Listener listener;
  final StreamRegistry streams;
  /** Whether it fails to wait without a thread. */
  volatile boolean breaks;
  /** For how long a session lasts; 0 once there is none. */
  volatile long sessionSeconds = 600;

  /** Which sides of the proxy have HTTP/2, the others HTTP/1.1. */
  enum Sides {
    BOTH, CLIENT, UPSTREAM, NEITHER;

    private Version client() {
      return this == BOTH || this == CLIENT ? Version.HTTP_2 : Version.HTTP_1_1;
    }

    private Version upstream() {
      return this == BOTH || this == UPSTREAM ? Version.HTTP_2 : Version.HTTP_1_1;
    }

    private static String scheme(boolean tls, Version version) {
      return tls ? "https" : version == Version.HTTP_2 ? "h2c" : "http";
    }

    private static WireClient client(ClientLimits limits, SSLContext trusting, Version version) {
      return new WireClient(limits, trusting, new SSLParameters(), Optional.empty(), version);
    }
  }

  /** A request at the upstream. */
  record Held(HttpExchange exchange, String body, CompletableFuture<Answer> answer, CountDownLatch left) {}

  /** What the upstream does with a request. */
  interface Answer {
    void of(HttpExchange exchange) throws IOException;
  }

  /**
   * @param idle the limit of calls, and of requests where a side has HTTP/1.1, as in a configuration
   * @param inFlight the maximum number of requests at a time
   * @param lifetimes of streams
   */
  WaitingSite(Sides sides, boolean tls, String idle, int inFlight, StreamSettings lifetimes) throws Exception {
    this.sides = sides;
    this.tls = tls;
    SSLContext trusting = tls ? TlsSides.trusting() : SSLContext.getDefault();
    upstream = upstream();
    Problems problems = new Problems();
    ListenerSettings settings = Yaml.read(new SourceFile("f", "{request_limit: {in_flight: " + inFlight
        + ", peer_share: 100}, "
        + "timeout: {read: " + (sides == Sides.BOTH ? "1m" : idle) + ", idle: " + idle + "}}"), problems)
        .flatMap(node -> ListenerSettings.main(false, false).decode(node, problems)).orElseThrow()
        .with(ListenerSettings.HOST, "127.0.0.1").with(ListenerSettings.PORT, 0);
    caller = Sides.client(ClientLimits.DEFAULT, trusting, sides.client());
    client = Sides.client(settings.upstreamLimits().withWaitingThreads(0), trusting, sides.upstream());
    int port = upstream.getAddress().getPort();
    DeciderSetup setup = new DeciderSetup(client, MECHANISMS.formatted(port, tls ? "https" : "http"),
        RULES.formatted(port, Sides.scheme(tls, sides.upstream())));
    streams = new StreamRegistry(setup.decider(), locks, lifetimes, InstantSource.system(), log);
    streams.start();
    decisions = DecisionLog.start(Yaml.read(new SourceFile("c", "file: {path: \"" + decided + "\"}\n"), problems)
        .flatMap(node -> DecisionLogSettings.decoder().decode(node, problems)).orElseThrow(), log,
        InstantSource.system(), problems).orElseThrow();
    TelemetrySinks sinks = new TelemetrySinks(observing.all().tracer(), observing.all().instruments(),
        Optional.of(decisions));
    listener = new Services(sinks, log, InstantSource.system()).proxy(settings,
        tls ? Optional.of(TlsSides.listener()) : Optional.empty(), setup.decider(),
        new Watched(new InstrumentedClient(client, observing.all().tracer(), Optional.empty())), Optional.empty(),
        streams);
  }

  private WireServer upstream() throws Exception {
    WireServer server = tls ? WireServer.secure(ServerLimits.DEFAULT, RejectionListener.IGNORED,
        new portcullis.http.server.Descriptors()) : new WireServer(ServerLimits.DEFAULT, RejectionListener.IGNORED);
    if (tls) {
      ServerTls own = TlsSides.listener();
      server.setHttpsConfigurator(new HttpsConfigurator(own.context()) {
        @Override
        public void configure(HttpsParameters parameters) {
          parameters.setSSLParameters(own.parameters());
        }
      });
    }
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1000);
    server.createContext("/", this::hold);
    server.createContext("/session", this::session);
    server.start();
    return server;
  }

  private void session(HttpExchange exchange) throws IOException {
    long end = Instant.now().getEpochSecond() + sessionSeconds;
    byte[] body = ("{\"user\": \"ann\", \"ends\": " + end + "}").getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(sessionSeconds == 0 ? 401 : 200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private void hold(HttpExchange exchange) throws IOException {
    Held one = new Held(exchange, new String(exchange.getRequestBody().readAllBytes(), ISO_8859_1),
        new CompletableFuture<>(), new CountDownLatch(1));
    WireExchange.of(exchange).watchClient(() -> {
      one.left.countDown();
      one.answer.complete(_ -> {});
    });
    held.add(one);
    one.answer.join().of(exchange);
  }

  /** Returns the next request that has come to the upstream. */
  Held held() throws InterruptedException {
    return Optional.ofNullable(held.poll(60, TimeUnit.SECONDS)).orElseThrow();
  }

  /** Answers with that body and a trailer. */
  static Answer message(String body) {
    return exchange -> {
      WireExchange wire = WireExchange.of(exchange);
      wire.respond(200, Fields.of("Content-Type", "application/grpc"), -1);
      wire.getResponseBody().write(body.getBytes(ISO_8859_1));
      wire.trail(Fields.of("grpc-status", "0"));
      wire.getResponseBody().close();
    };
  }

  /** Sends a request, whose response comes later: a call, or one without a body. */
  Response ask(String path, String body) {
    CompletableFuture<HttpResponse<InputStream>> response = new CompletableFuture<>();
    byte[] bytes = body.getBytes(ISO_8859_1);
    Thread thread = Thread.ofVirtual().unstarted(() -> {
      try {
        response.complete(caller.send(new WireRequest(new WireRequest.Parts(body.isEmpty() ? "GET" : "POST",
            URI.create(Sides.scheme(tls, sides.client()) + "://localhost:" + listener.port()), path,
            body.isEmpty() ? Fields.of("Host", "a.test") : CALL, new ByteArrayInputStream(bytes),
            body.isEmpty() ? 0 : -1, () -> Fields.NONE, (status, _) -> interim.add(status), LONG, LONG)),
            HttpResponse.BodyHandlers.ofInputStream()));
      } catch (IOException | InterruptedException e) {
        response.completeExceptionally(e);
      }
    });
    thread.start();
    return new Response(response, thread);
  }

  /** The interim responses that have come. */
  final BlockingQueue<Integer> interim = new LinkedBlockingQueue<>();

  /** A response that a client waits for; an interrupt of its thread ends its request. */
  record Response(CompletableFuture<HttpResponse<InputStream>> coming, Thread thread) {
    HttpResponse<InputStream> get() throws Exception {
      return coming.get(60, TimeUnit.SECONDS);
    }

    String text() throws Exception {
      try (InputStream body = get().body()) {
        return get().statusCode() + " " + new String(body.readAllBytes(), ISO_8859_1);
      }
    }
  }

  /** Waits until that many requests have been left to no thread. */
  void awaitNoThread(int requests) throws InterruptedException {
    Await.until(() -> suspended.get() == requests);
  }

  /** The same, unless the one that is asked for has its response before. */
  void awaitNoThread(Response response) throws InterruptedException {
    Await.until(() -> suspended.get() == 1 || response.coming.isDone());
  }

  /** Returns how many of them have gone on, each on a stack of its own. */
  int resumed() {
    return resumed.get();
  }

  /** Counts the responses that are awaited without a thread. */
  private final class Watched extends BaseClient {
    private final BaseClient inner;

    Watched(BaseClient inner) {
      this.inner = inner;
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
        throws IOException, InterruptedException {
      return inner.send(request, handler);
    }

    @Override
    public AwaitedResponse begin(WireRequest request) throws IOException, InterruptedException {
      AwaitedResponse awaited = inner.begin(request);
      return new AwaitedResponse() {
        @Override
        public boolean isQuiet() {
          return awaited.isQuiet();
        }

        @Override
        public boolean comes(int millis) {
          return awaited.comes(millis);
        }

        @Override
        public void whenComes(Runnable action) {
          if (breaks) {
            throw new IllegalStateException("a bug");
          }
          awaited.whenComes(action);
          suspended.incrementAndGet();
        }

        @Override
        public HttpResponse<InputStream> get() throws IOException, InterruptedException {
          boolean own = StackWalker.getInstance()
              .walk(all -> all.noneMatch(frame -> frame.getClassName().endsWith(".DecisionHandler")));
          resumed.addAndGet(own ? 1 : 0);
          return awaited.get();
        }
      };
    }
  }

  /** Waits until a line of the log contains this. */
  void awaitLine(String part) throws InterruptedException {
    Await.until(() -> written.toString(UTF_8).contains(part));
  }

  List<String> finished() {
    return written.toString(UTF_8).lines().filter(line -> line.contains("TX finished")).toList();
  }

  /** Returns the one access line of a request that is over, once nothing is left of it. */
  String line() throws Exception {
    Await.until(() -> !finished().isEmpty() && active().equals("0"));
    Await.until(() -> streams.active().values().stream().mapToInt(n -> n).sum() == 0);
    if (finished().size() != 1) {
      throw new AssertionError(finished().toString());
    }
    return finished().getFirst();
  }

  /** Returns the number of active requests, as the metrics have it. */
  String active() {
    return String.join(" ", observing.measured("http.server.active_requests").values());
  }

  /** Returns whether the proxy accepts no more connections. */
  boolean isShut() {
    try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
      return false;
    } catch (IOException _) {
      return true;
    }
  }

  /** Stops the proxy, and returns the lines of the decision log. */
  List<String> decided() throws IOException {
    listener.stop(Duration.ofSeconds(10));
    decisions.close();
    return Files.readAllLines(decided);
  }

  @Override
  public void close() {
    held.forEach(one -> one.answer.complete(_ -> {}));
    listener.stop(Duration.ofSeconds(1));
    decisions.close();
    caller.close();
    client.close();
    upstream.stop(0);
    observing.close();
    writer.close();
    delete(decided);
    delete(decided.getParent());
  }

  private static void delete(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
