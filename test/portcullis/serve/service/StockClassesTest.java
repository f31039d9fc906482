package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import portcullis.config.Enforcement;
import portcullis.fixture.FreePort;
import portcullis.http.message.Arrival;
import portcullis.http.message.TrustedProxies;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.ParseBudget;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.decision.Decider;
import portcullis.policy.decision.ErrorResponses;
import portcullis.policy.decision.ProtectedHeaders;
import portcullis.policy.decision.ResponseSettings;
import portcullis.policy.decision.Snapshot;
import portcullis.policy.route.RouteIndex;
import portcullis.policy.route.RouteSet;
import portcullis.policy.rule.Catalogues;
import portcullis.policy.rule.Rule;
import portcullis.policy.rule.RuleReader;

/** The proxy between a server and a client of the JDK: all but what their APIs cannot say. */
class StockClassesTest {
  private static final String MECHANISMS = """
      authenticators: [{id: anon, type: anonymous}, {id: none, type: unauthorized}]
      finalizers: [{id: noop, type: noop}, {id: user, type: header, config: {headers: {X-User: "{{ .Subject.ID }}"}}}]
      """;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ByteArrayOutputStream logged = new ByteArrayOutputStream();
  private final LogWriter writer = new LogWriter(logged);
  private final Log log = new Log(Level.INFO, LogFormat.TEXT, writer, InstantSource.system(), "gate");
  private final HttpClient stock = HttpClient.newHttpClient();
  private HttpServer upstream;
  private HttpServer front;

  @BeforeEach
  void start() throws IOException {
    upstream = server();
    upstream.createContext("/", StockClassesTest::mirror);
    front = server();
    ErrorResponses errors = new ErrorResponses(ResponseSettings.DEFAULT, log);
    Forwarder forwarder = new Forwarder(stock, ListenerSettings.defaults(0), errors, log);
    Decider decider = new Decider(this::snapshot, log);
    Layer.Handler handler = Layer.within(
        List.of(new AccessLog(log, InstantSource.system(), new RequestFields(TrustedProxies.NONE)), new Recovery(log),
            new InFlight()),
        new DecisionHandler(decider, TrustedProxies.NONE, errors, forwarder::forward, ParseBudget.DEFAULT, log));
    front.createContext("/",
        exchange -> handler.handle(new Transaction(exchange, Arrival.of(exchange), InstantSource.system().instant())));
  }

  @AfterEach
  void stop() {
    front.stop(0);
    upstream.stop(0);
    stock.shutdownNow();
    threads.shutdownNow();
    writer.close();
  }

  private HttpServer server() throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.start();
    return server;
  }

  private static void mirror(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    String text = exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
        + exchange.getRequestHeaders().get("X-User")
        + " " + exchange.getRequestHeaders().get("Forwarded") + " " + body.length;
    exchange.getResponseHeaders().add("X-Twice", "a");
    exchange.getResponseHeaders().add("X-Twice", "b");
    exchange.sendResponseHeaders(207, 0);
    exchange.getResponseBody().write(text.getBytes(StandardCharsets.US_ASCII));
    exchange.close();
  }

  private Snapshot snapshot() {
    Problems problems = new Problems();
    Catalogue catalogue = Catalogues.of(MECHANISMS, Enforcement.NONE, problems);
    String rule = "- {id: %s, match: {routes: [{path: %s}]}, forward_to: {host: '127.0.0.1:%d', rewrite: {scheme: "
        + "http}},"
        + " execute: [{authenticator: %s}, {finalizer: user}]}\n";
    String rules = "version: 1alpha4\nrules:\n"
        + rule.formatted("open", "/open/**", upstream.getAddress().getPort(), "anon")
        + rule.formatted("shut", "/shut/**", upstream.getAddress().getPort(), "none")
        + rule.formatted("down", "/down/**", FreePort.next(), "anon")
        + rule.formatted("quiet", "/quiet/**", upstream.getAddress().getPort(), "anon").replace("finalizer: user",
            "finalizer: noop");
    Optional<RouteSet<Rule>> set = new RuleReader(catalogue, Optional.empty(), true, Optional.empty())
        .read("test", new SourceFile("f", rules), problems);
    RouteIndex<Rule> index = set.flatMap(s -> RouteIndex.<Rule>empty().with(s, problems))
        .orElseThrow(() -> new AssertionError(Catalogues.said(problems)));
    ProtectedHeaders protectedHeaders = ProtectedHeaders
        .of(set.orElseThrow().entries().stream().map(e -> e.value().pipeline()).toList());
    return new Snapshot(1, catalogue, index, Optional.empty(), protectedHeaders);
  }

  private HttpResponse<String> ask(HttpRequest.Builder request, String path) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + front.getAddress().getPort() + path);
    return stock.send(request.uri(uri).build(), BodyHandlers.ofString());
  }

  @Test
  void forwardsWhatIsAllowedWithBothBodies() throws Exception {
    HttpResponse<String> get = ask(HttpRequest.newBuilder().header("X-User", "root"), "/open/a%20b?c=d&e=%2F");
    assertEquals(207, get.statusCode());
    assertEquals("GET /open/a%20b?c=d&e=%2F [anonymous] " + get.body().split(" ", 4)[3], get.body());
    assertTrue(get.body().contains("for=127.0.0.1"), get.body());
    assertEquals(List.of("a", "b"), get.headers().allValues("X-Twice"));
    HttpResponse<String> post = ask(HttpRequest.newBuilder().POST(BodyPublishers.ofByteArray(new byte[300_000])),
        "/open/x");
    assertTrue(post.body().startsWith("POST ") && post.body().endsWith(" 300000"), post.body());
    HttpResponse<String> chunked = ask(HttpRequest.newBuilder()
        .PUT(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[70_000]))), "/open/x");
    assertTrue(chunked.body().endsWith(" 70000"), chunked.body());
  }

  @Test
  void s19s21WhatAnyRuleSetsIsTakenFromNoClient() throws Exception {
    for (String name : List.of("X-User", "x-user", "X_User", "X.user")) {
      HttpResponse<String> quiet = ask(HttpRequest.newBuilder().header(name, "root"), "/quiet/x");
      assertTrue(quiet.body().startsWith("GET /quiet/x null "), name + ": " + quiet.body());
      HttpResponse<String> telling = ask(HttpRequest.newBuilder().header(name, "root"), "/open/x");
      assertTrue(telling.body().startsWith("GET /open/x [anonymous] "), name + ": " + telling.body());
    }
  }

  @Test
  void refusesAndFailsAsEver() throws Exception {
    assertEquals(401, ask(HttpRequest.newBuilder(), "/shut/x").statusCode());
    assertEquals(404, ask(HttpRequest.newBuilder(), "/nowhere").statusCode());
    assertEquals(502, ask(HttpRequest.newBuilder(), "/down/x").statusCode());
  }

  /** What the stock server lets through to us is refused by us. */
  @Test
  void refusesWhatIsNotClearlyOneRequest() throws Exception {
    for (String broken : List.of("GET /open/x HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "GET /open/x HTTP/1.1\r\n\r\n",
        "POST /open/x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), front.getAddress().getPort())) {
        socket.setSoTimeout(10_000);
        socket.getOutputStream().write(broken.getBytes(StandardCharsets.ISO_8859_1));
        InputStream in = socket.getInputStream();
        assertEquals("HTTP/1.1 400", new String(in.readNBytes(12), StandardCharsets.ISO_8859_1));
      }
    }
  }
}
