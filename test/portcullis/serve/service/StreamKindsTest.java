package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.Await;
import portcullis.fixture.RawUpstream;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.policy.lock.LockTable;
import portcullis.serve.stream.StreamKind;
import portcullis.serve.stream.StreamRegistry;
import portcullis.serve.stream.StreamSettings;

/** As what an exchange with an upstream is registered, before its response and with it; and what is passed with it. */
class StreamKindsTest {
  private static final Duration LONG = Duration.ofMinutes(2);

  private final CountDownLatch over = new CountDownLatch(1);
  private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private RawUpstream upstream;
  private WireClient client;
  private StreamRegistry streams;
  private Listener proxy;

  @BeforeEach
  void start() throws Exception {
    upstream = RawUpstream.of(peer -> {
      String head = peer.head();
      received.add(head);
      try {
        if (head.contains("chunked")) {
          StringBuilder rest = new StringBuilder();
          for (String line = peer.line(); !line.isEmpty(); line = peer.line()) {
            rest.append(line).append('\n');
          }
          received.add(rest.toString());
        }
        peer.say(answers.take());
        over.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
    client = new WireClient(ClientLimits.DEFAULT);
    DeciderSetup setup = new DeciderSetup(client, """
        authenticators: [{id: anon, type: anonymous}]
        finalizers: [{id: user, type: header, config: {headers: {X-User: "{{ .Subject.ID }}"}}}]
        """, "- {id: all, match: {routes: [{path: /**}]}, execute: [{authenticator: anon}, {finalizer: user}], "
        + "forward_to: {host: '127.0.0.1:" + upstream.port() + "', rewrite: {scheme: http}}}\n");
    streams = new StreamRegistry(setup.decider(), new LockTable(InstantSource.system()), StreamSettings.DEFAULT,
        InstantSource.system(), setup.log());
    proxy = new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system()).proxy(
        ListenerSettings.plain("127.0.0.1", 0).with(ListenerSettings.TIMEOUT, new ListenerSettings.Timeouts(LONG, LONG,
            LONG, Optional.empty(), Optional.empty(), Optional.empty())),
        Optional.empty(), setup.decider(), client, Optional.empty(), streams);
  }

  @AfterEach
  void stop() {
    over.countDown();
    answers.add("");
    proxy.stop(Duration.ofMillis(1));
    client.close();
    upstream.close();
  }

  private void awaitKind(StreamKind kind) throws InterruptedException {
    Await.until(() -> streams.active().getOrDefault(kind, 0) == 1, () -> streams.active().toString());
    assertEquals(1, streams.active().values().stream().mapToInt(n -> n).sum());
  }

  private Socket sent(String... lines) throws Exception {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    socket.setSoTimeout(60_000);
    socket.getOutputStream().write(("GET /x HTTP/1.1\r\nHost: a.test\r\n" + String.join("\r\n", lines) + "\r\n\r\n")
        .getBytes(ISO_8859_1));
    return socket;
  }

  @ParameterizedTest
  @CsvSource({"Text/Event-Stream; charset=utf-8, EVENTS", "text/event-stream, EVENTS", "text/plain, ANSWER",
    "x/text/event-stream, ANSWER", "application/grpc, ANSWER"})
  void aResponseIsOfTheKindOfItsContent(String type, StreamKind kind) throws Exception {
    try (Socket socket = sent("Accept: */*")) {
      received.take();
      awaitKind(StreamKind.ANSWER);
      answers.add("HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\nConnection: close\r\n\r\nbegin");
      assertEquals("HTTP/1.1 200", new String(socket.getInputStream().readNBytes(12), ISO_8859_1));
      awaitKind(kind);
    }
  }

  @Test
  void whatIsCalledACallIsNoneOverHttp1() throws Exception {
    try (Socket _ = sent("Content-Type: application/grpc")) {
      received.take();
      awaitKind(StreamKind.ANSWER);
    }
  }

  @ParameterizedTest
  @CsvSource({"websocket, WEBSOCKET", "WebSocket, WEBSOCKET", "websockets, UPGRADE", "chat/2, UPGRADE"})
  void anUpgradeIsOfTheKindOfItsProtocol(String protocol, StreamKind kind) throws Exception {
    try (Socket socket = sent("Connection: Upgrade", "Upgrade: " + protocol)) {
      received.take();
      awaitKind(kind);
      answers.add("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: " + protocol + "\r\n\r\n");
      assertEquals("HTTP/1.1 101", new String(socket.getInputStream().readNBytes(12), ISO_8859_1));
      awaitKind(kind);
    }
  }

  @Test
  void anUpgradeThatIsNotMadeIsAnAnswer() throws Exception {
    try (Socket socket = sent("Connection: Upgrade", "Upgrade: websocket")) {
      received.take();
      awaitKind(StreamKind.WEBSOCKET);
      answers.add("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbegin");
      assertEquals("HTTP/1.1 200", new String(socket.getInputStream().readNBytes(12), ISO_8859_1));
      awaitKind(StreamKind.ANSWER);
    }
  }

  @Test
  void interimAnswersArePassedOnWithoutTheFieldsOfTheirConnection() throws Exception {
    answers.add("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nConnection: X-Hop\r\nX-Hop: 1\r\n\r\n"
        + "HTTP/1.1 204 No Content\r\n\r\n");
    try (Socket socket = sent("Connection: close")) {
      String all = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      assertTrue(all.startsWith("HTTP/1.1 103 "), all);
      assertEquals("</a>", OneRequest.field(all, "Link"));
      assertFalse(all.contains("X-Hop"), all);
      assertTrue(all.contains("\r\n\r\nHTTP/1.1 204 "), all);
    }
  }

  @Test
  void trailersArePassedOnBothWaysAndThoseThatTheRuleSetsAreNot() throws Exception {
    answers.add("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 2\r\nX-User: eve\r\n\r\n");
    String answer = OneRequest.answer(proxy.port(), "POST /x HTTP/1.1\r\nHost: a.test\r\nTE: trailers\r\n"
        + "Connection: close, TE\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum, X-User\r\n\r\n2\r\nhi\r\n0\r\n"
        + "X-Sum: 1\r\nX-User: root\r\n\r\n");
    received.take();
    String rest = received.take();
    assertTrue(rest.contains("X-Sum: 1") && !rest.contains("X-User"), rest);
    assertTrue(answer.contains("\r\n0\r\nX-Sum: 2\r\n"), answer);
  }
}
