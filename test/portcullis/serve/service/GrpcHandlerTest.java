package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import portcullis.fixture.RawUpstream;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.http.message.Fields;
import portcullis.http.message.WireRequest;
import portcullis.http.server.Protocol;
import portcullis.http.server.RejectionListener;
import portcullis.http.server.ServerLimits;
import portcullis.http.server.WireServer;

/** What a client gets by calling a request a call of gRPC: neither time before the decision nor another protocol. */
class GrpcHandlerTest {
  private static final String MECHANISMS = """
      authenticators: [{id: anon, type: anonymous}]
      authorizers: [{id: reads, type: cel, config: {expressions: [{expression: 'string(Request.Body()) != "evil"'}]}}]
      finalizers: [{id: none, type: noop}]
      """;
  private static final String RULE = """
      - id: %1$s
        match: {routes: [{path: /%1$s}]}
        forward_to: {host: "127.0.0.1:%2$d", rewrite: {scheme: %3$s}}
        execute: [{authenticator: anon}, %4$s{finalizer: none}]
      """;
  private static final String READS = "{authorizer: reads}, ";
  private static final Fields CALL = Fields.of("Host", "a.test", "Content-Type", "application/grpc", "TE", "trailers");

  private final CountDownLatch end = new CountDownLatch(1);
  private final List<String> spoken = new CopyOnWriteArrayList<>();
  private final List<String> timeouts = new CopyOnWriteArrayList<>();
  private RawUpstream plain;
  private WireServer two;
  private WireClient client;
  private DeciderSetup setup;
  private Listener listener;

  @BeforeEach
  void start() throws Exception {
    plain = RawUpstream.of(peer -> {
      spoken.add(peer.line());
      peer.head();
      peer.say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
    });
    two = new WireServer(ServerLimits.DEFAULT, RejectionListener.IGNORED, EnumSet.of(Protocol.HTTP_2));
    two.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    two.createContext("/", exchange -> {
      spoken.add(exchange.getProtocol());
      timeouts.addAll(exchange.getRequestHeaders().getOrDefault("grpc-timeout", List.of()));
      byte[] body = exchange.getRequestBody().readAllBytes();
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    two.start();
    client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault());
    int clear = two.getAddress().getPort();
    setup = new DeciderSetup(client, MECHANISMS, RULE.formatted("plain", plain.port(), "http", "")
        + RULE.formatted("two", clear, "h2c", "") + RULE.formatted("reads", clear, "h2c", READS));
    Duration read = Duration.ofMillis(500);
    ListenerSettings.Timeouts times = new ListenerSettings.Timeouts(read, Duration.ofSeconds(10),
        Duration.ofSeconds(60),
        Optional.empty(), Optional.empty(), Optional.empty());
    ListenerSettings settings = ListenerSettings.plain("127.0.0.1", 0).with(ListenerSettings.TIMEOUT, times);
    listener = new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system())
        .proxy(settings, Optional.empty(), setup.decider(), client);
  }

  @AfterEach
  void stop() {
    end.countDown();
    listener.stop(Duration.ofSeconds(1));
    client.close();
    two.stop(0);
    plain.close();
  }

  /** Yields nothing before the latch is open, and then nothing more. */
  private final class Silence extends InputStream {
    private final long millis;

    Silence(long millis) {
      this.millis = millis;
    }

    @Override
    public int read() throws IOException {
      try {
        end.await(millis, TimeUnit.MILLISECONDS);
        return -1;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      }
    }
  }

  private HttpResponse<InputStream> receivedCalls(String path, InputStream body, long length) throws Exception {
    return receivedCalls(path, CALL, body, length);
  }

  private HttpResponse<InputStream> receivedCalls(String path, Fields fields, InputStream body, long length)
      throws Exception {
    return client.send(
        new WireRequest(new WireRequest.Parts("POST", URI.create("h2c://127.0.0.1:" + listener.port()), path, fields,
            body, length, () -> Fields.NONE, (_, _) -> {}, Duration.ofSeconds(30), Duration.ofSeconds(30))),
        HttpResponse.BodyHandlers.ofInputStream());
  }

  private static String text(HttpResponse<InputStream> response) throws IOException {
    try (InputStream body = response.body()) {
      return response.statusCode() + " " + new String(body.readAllBytes(), ISO_8859_1);
    }
  }

  @Test
  void clientCannotSelectH2cToUpstream() throws Exception {
    assertEquals("200 ok", text(receivedCalls("/plain", new ByteArrayInputStream("hi".getBytes()), 2)));
    assertEquals(List.of("POST /plain HTTP/1.1"), spoken);
  }

  @Test
  void ruleSelectsH2cToUpstream() throws Exception {
    assertEquals("200 hi", text(receivedCalls("/two", new ByteArrayInputStream("hi".getBytes()), 2)));
    assertEquals(List.of("HTTP/2.0"), spoken);
  }

  @Test
  void beforeTheDecisionACallHasTheDeadlinesOfAnyRequest() throws Exception {
    long begin = System.nanoTime();
    assertEquals("408 ", text(receivedCalls("/reads", new Silence(60_000), -1)), () -> setup.shown());
    assertTrue(System.nanoTime() - begin < 25_000_000_000L, "it waits for the read timeout, not for the idle one");
    assertEquals(List.of(), spoken);
  }

  /** It is the server's, which knows what the client waits for. */
  @Test
  void theTimeoutOfACallIsPassedOn() throws Exception {
    assertEquals("200 ", text(receivedCalls("/two", CALL.with("grpc-timeout", "1n"), new Silence(100), -1)));
    assertEquals(List.of("1n"), timeouts);
  }

  @Test
  void afterTheDecisionACallMayPause() throws Exception {
    assertEquals("200 ", text(receivedCalls("/two", new Silence(2_000), -1)));
  }
}
