package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.RawUpstream;
import portcullis.http.client.BaseClient;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.http.message.Fields;
import portcullis.http.message.WireResponse;
import portcullis.policy.decision.ErrorResponses;
import portcullis.policy.decision.ResponseSettings;
import portcullis.policy.pipeline.Observer;

/** Allowed requests that can be forwarded or cannot: by the proxy, the decision service and a dry run. */
class FailedForwardingTest {
  private static final String MECHANISMS = """
      authenticators: [{id: anon, type: anonymous}]
      authorizers: [{id: few, type: rate_limit, config: {name: few, key: x, rate: 5/1m}}]
      finalizers:
        - {id: host, type: header, config: {headers: {Host: '{{ .Request.Header "wanted" }}'}}}
      """;
  private static final String RULES = """
      - {id: nowhere, match: {routes: [{path: /nowhere}]}, execute: [{authenticator: anon}]}
      - {id: host, match: {routes: [{path: /host}]}, forward_to: {host: "127.0.0.1:%1$d", rewrite: {scheme: http}},
         execute: [{authenticator: anon}, {finalizer: host}]}
      - {id: counted, match: {routes: [{path: /counted}]}, forward_to: {host: "127.0.0.1:%1$d", rewrite: {scheme: \
      http}}, execute: [{authenticator: anon}, {authorizer: few}]}
      - {id: cut, match: {routes: [{path: "/cut/**"}]}, execute: [{authenticator: anon}], forward_to: {host: \
      "127.0.0.1:%1$d", rewrite: {scheme: http, strip_path_prefix: /cut/.}}}
      - {id: chat, match: {routes: [{path: /chat}]}, forward_to: {host: "127.0.0.1:%1$d", rewrite: {scheme: http}},
         execute: [{authenticator: anon}]}
      """;

  private static final String UPGRADE = "GET /chat HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
      + "Upgrade: chat/2\r\n\r\n";

  private RawUpstream upstream;
  private WireClient client;
  private DeciderSetup setup;

  @BeforeEach
  void start() throws Exception {
    upstream = RawUpstream.of(peer -> {
      String head = peer.head();
      peer.say(head.startsWith("GET /chat")
          ? "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: chat/2\r\nX-Room: 7\r\n\r\nhello"
          : "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
    });
    client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault());
    setup = new DeciderSetup(client, MECHANISMS, RULES.formatted(upstream.port()));
  }

  @AfterEach
  void stop() {
    client.close();
    upstream.close();
  }

  private static ListenerSettings settings() {
    return ListenerSettings.plain("127.0.0.1", 0);
  }

  private Services services() {
    return new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system());
  }

  private static String receivedCalls(Listener listener, String target, String... lines) throws IOException {
    try {
      return OneRequest.receivedCalls(listener.port(), "GET", target, lines);
    } finally {
      listener.stop(Duration.ofSeconds(5));
    }
  }

  private String proxied(String target, String... lines) throws IOException {
    return receivedCalls(services().proxy(settings(), Optional.empty(), setup.decider(), client), target, lines);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {"/nowhere | a.test | internal error: No upstream reference defined",
    "/host | a b | internal error: the finalizers set no valid Host"})
  void proxyAnswers500AndLogsWhy(String target, String wanted, String reason) throws IOException {
    assertEquals(500, OneRequest.status(proxied(target, "Wanted: " + wanted)));
    String log = setup.shown();
    assertTrue(log.lines().filter(line -> line.contains("\"TX finished\""))
        .allMatch(line -> line.contains("\"_error\":\"" + reason + "\"")), log);
    assertEquals(1, log.lines().filter(line -> line.contains("\"TX finished\"")).count(), log);
    assertEquals(0, upstream.heads().size());
  }

  @Test
  void finalizerSetsTheHostOfTheUpstreamsRequest() throws IOException {
    assertEquals(204, OneRequest.status(proxied("/host", "Wanted: shop.test:81")));
    assertEquals("shop.test:81", OneRequest.field(upstream.heads().getFirst(), "Host"));
  }

  @Test
  void responsesHaveTheFieldsThatTheirRuleAdds() throws IOException {
    String answer = proxied("/counted");
    assertEquals("204 \"few\";q=5;w=60",
        OneRequest.status(answer) + " " + OneRequest.field(answer, "RateLimit-Policy"));
  }

  /** Its client leaves just when the response is there, too late for the interrupt. */
  private static final class LateClient extends BaseClient {
    private final BaseClient inner;
    private final Socket socket;

    LateClient(BaseClient inner, Socket socket) {
      this.inner = inner;
      this.socket = socket;
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
        throws IOException, InterruptedException {
      HttpResponse<T> response = inner.send(request, handler);
      socket.setSoLinger(true, 0);
      socket.close();
      while (!Thread.currentThread().isInterrupted()) {
        Thread.onSpinWait();
      }
      return response;
    }
  }

  @Test
  void theUpstreamIsLeftIfTheClientOfAnUpgradeHasLeft() throws Exception {
    CountDownLatch left = new CountDownLatch(1);
    try (RawUpstream waiting = RawUpstream.of(peer -> {
      peer.head();
      peer.say("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: chat/2\r\n\r\n");
      peer.awaitEnd();
      left.countDown();
    }); Socket socket = new Socket()) {
      DeciderSetup decided = new DeciderSetup(client, MECHANISMS, RULES.formatted(waiting.port()));
      Listener proxy = new Services(TelemetrySinks.NONE, decided.log(), InstantSource.system()).proxy(settings(),
          Optional.empty(), decided.decider(), new LateClient(client, socket));
      try {
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port()));
        socket.getOutputStream().write(UPGRADE.getBytes(StandardCharsets.ISO_8859_1));
        assertTrue(left.await(30, TimeUnit.SECONDS));
      } finally {
        proxy.stop(Duration.ofSeconds(5));
      }
    }
  }

  @Test
  void upgradeIsAnsweredWithTheUpstreamsProtocol() throws IOException {
    Listener proxy = services().proxy(settings(), Optional.empty(), setup.decider(), client);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(UPGRADE.getBytes(StandardCharsets.ISO_8859_1));
      StringBuilder seen = new StringBuilder();
      while (!seen.toString().endsWith("hello")) {
        int c = socket.getInputStream().read();
        assertTrue(c >= 0, seen.toString());
        seen.append((char) c);
      }
      String answer = seen.toString();
      assertEquals(101, OneRequest.status(answer));
      assertEquals("chat/2", OneRequest.field(answer, "Upgrade"));
      assertEquals("7", OneRequest.field(answer, "X-Room"));
      assertEquals("hello", OneRequest.body(answer));
    } finally {
      proxy.stop(Duration.ofSeconds(5));
    }
    String head = upstream.heads().getFirst();
    assertEquals("chat/2", OneRequest.field(head, "Upgrade"));
    String log = setup.shown();
    assertTrue(log.contains("\"_http_status_code\":101"), log);
  }

  @Test
  void unrequestedUpgradeIs502() throws IOException {
    String answer = proxied("/chat", "Upgrade: chat/1, chat/2", "Connection: Upgrade");
    assertEquals(502, OneRequest.status(answer));
    assertEquals("", OneRequest.field(answer, "Upgrade") + OneRequest.field(upstream.heads().getFirst(), "Upgrade"));
  }

  private DryRun.Outcome tried(String method, String url, String... fields) {
    DryRun run = new DryRun(settings(), new ErrorResponses(ResponseSettings.DEFAULT, setup.log()));
    return run.of(
        new DryRun.Draft(method, url, Fields.of(fields), InetAddress.getLoopbackAddress(), new byte[0]),
        setup.decider(), Observer.NONE);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "GET | ftp://a.test/x | 400 | the URL is not absolute, like `https://app.example/orders/42`",
    "GET | /x | 400 | the URL is not absolute, like `https://app.example/orders/42`",
    "G T | http://a.test/x | 400 | the method is not a token",
    "GET | http://a b/x | 400 | the host of the URL is invalid",
    "GET | http:///x | 400 | the host of the URL is invalid"})
  void dryRunRefusesWhatNoClientCanSend(String method, String url, int status, String reason) {
    DryRun.Outcome outcome = tried(method, url);
    assertEquals(status + " " + reason, outcome.answer().status() + " " + outcome.reason());
    assertFalse(outcome.allowed());
    assertTrue(outcome.request().isEmpty() && outcome.decision().isEmpty() && outcome.upstream().isEmpty());
  }

  @Test
  void dryRunReportsWhatTheProxyCouldNotSend() {
    DryRun.Outcome outcome = tried("GET", "http://a.test/host", "Wanted", "a b");
    assertEquals("500 internal error: the finalizers set no valid Host",
        outcome.answer().status() + " " + outcome.reason());
    assertFalse(outcome.allowed());
    assertTrue(outcome.request().isPresent() && outcome.decision().isPresent() && outcome.upstream().isEmpty());
  }

  @Test
  void pathsThatAreDotSegmentsAfterRewritingAreRefused() throws IOException {
    assertEquals(400, OneRequest.status(proxied("/cut/.../x")));
    assertEquals(0, upstream.heads().size());
    DryRun.Outcome outcome = tried("GET", "http://a.test/cut/.../x");
    assertEquals("400 false", outcome.answer().status() + " " + outcome.allowed());
    assertTrue(outcome.decision().isPresent() && outcome.upstream().isEmpty());
    assertTrue(setup.shown().contains("\"_error\":\"" + outcome.reason() + "\""), outcome.reason());
  }

  @Test
  void dryRunShowsWhatTheUpstreamGets() {
    DryRun.Outcome outcome = tried("GET", "https://a.test/host?x=1", "Wanted", "shop.test", "X-Own", "1");
    assertEquals("200 true", outcome.answer().status() + " " + outcome.allowed());
    DryRun.Upstream sent = outcome.upstream().orElseThrow();
    assertEquals("GET http://127.0.0.1:" + upstream.port() + "/host?x=1", sent.method() + " " + sent.url());
    assertEquals("shop.test 1 https", sent.fields().first("Host").orElse("") + " "
        + sent.fields().first("X-Own").orElse("") + " " + sent.fields().first("X-Forwarded-Proto").orElse(""));
    assertTrue(tried("GET", "https://a.test/nowhere").allowed());
    assertEquals(Optional.empty(), tried("GET", "https://a.test/nowhere").upstream());
  }

  private String failing(IOException e) throws IOException {
    BaseClient broken = new BaseClient() {
      @Override
      public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler) throws IOException {
        throw e;
      }
    };
    return receivedCalls(services().proxy(settings(), Optional.empty(), setup.decider(), broken), "/counted");
  }

  @Test
  void anUpstreamThatIsSilentIsATimeoutAndOneThatIsNotReachedInTimeIsNot() throws IOException {
    assertEquals(504, OneRequest.status(failing(new HttpTimeoutException("no answer"))));
    assertEquals(502, OneRequest.status(failing(new HttpConnectTimeoutException("no connection"))));
    assertEquals(502, OneRequest.status(failing(new IOException("reset"))));
  }

  @Test
  void whatWentWrongAtAnUpstreamIsLoggedByItsMessageOrItsKind() throws IOException {
    failing(new IOException("it was reset"));
    failing(new ClosedChannelException());
    List<String> lines = setup.shown().lines().filter(line -> line.contains("Proxying error")).toList();
    assertTrue(lines.getFirst().contains("\"short_message\":\"Proxying error\"")
        && lines.getFirst().contains("\"_error\":\"communication error: Failed to proxy request: it was reset\""),
        lines::toString);
    assertTrue(lines.getLast().contains("Failed to proxy request: ClosedChannelException"), lines::toString);
  }

  /** A client may have bodies that cannot pause, of another kind than those of ours. */
  @Test
  void theResponseOfAnyClientIsPassedOnWhole() throws IOException {
    BaseClient other = new BaseClient() {
      @Override
      @SuppressWarnings("unchecked")
      public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
          throws IOException, InterruptedException {
        HttpResponse<T> response = client.send(request, handler);
        return (HttpResponse<T>) Proxy.newProxyInstance(getClass().getClassLoader(),
            new Class<?>[] {HttpResponse.class, WireResponse.class},
            (_, method, values) -> switch (method.getName()) {
              case "body" -> new ByteArrayInputStream("whole".getBytes(StandardCharsets.US_ASCII));
              case "fields" -> Fields.of("X-Up", "1");
              case "statusCode" -> 200;
              case "trailers" -> Fields.of("X-Sum", "5");
              default -> method.invoke(response, values);
            });
      }
    };
    String answer = receivedCalls(services().proxy(settings(), Optional.empty(), setup.decider(), other), "/counted",
        "TE: trailers");
    assertEquals("200 1", OneRequest.status(answer) + " " + OneRequest.field(answer, "X-Up"));
    assertTrue(OneRequest.body(answer).contains("\r\nwhole\r\n0\r\nX-Sum: 5\r\n"), answer);
  }
}
