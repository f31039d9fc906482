package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.FramePeer;
import portcullis.fixture.RawUpstream;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.http.message.Fields;
import portcullis.http.message.WireRequest;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.decision.ErrorResponses;
import portcullis.policy.decision.ResponseSettings;
import portcullis.policy.lock.Lock;
import portcullis.policy.lock.LockTable;
import portcullis.serve.stream.EndReason;
import portcullis.serve.stream.StreamRegistry;
import portcullis.serve.stream.StreamSettings;

/** The response to a request that is ended while its upstream has not begun to answer. */
class EndedRequestTest {
  private static final String MECHANISMS = "authenticators: [{id: anon, type: anonymous}]\n";
  private static final String RULE = """
      - id: %1$s
        match: {routes: [{path: /%1$s}]}
        forward_to: {host: "127.0.0.1:%2$d", rewrite: {scheme: %3$s}}
        execute: [{authenticator: anon}]
      """;
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final int HTTP_1 = 1;

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final LogWriter writer = new LogWriter(written);
  private final LockTable locks = new LockTable(InstantSource.system());
  private final CountDownLatch received = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final RawUpstream silent = RawUpstream.of(peer -> awaitEnd(peer, ""));
  private final RawUpstream begins = RawUpstream
      .of(peer -> awaitEnd(peer, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"));
  private final RawUpstream two = RawUpstream.of(peer -> {
    FramePeer frames = FramePeer.greet(peer);
    frames.head();
    received.countDown();
    assertEquals(8, frames.next(FramePeer.RST_STREAM).integer(0), "CANCEL");
    ended.countDown();
    frames.awaitEnd();
  });
  private WireClient client;
  private Listener proxy;

  private void awaitEnd(RawUpstream.Peer peer, String response) throws IOException {
    peer.head();
    peer.say(response);
    received.countDown();
    try {
      peer.awaitEnd();
    } catch (IOException _) {
      // a reset
    }
    ended.countDown();
  }

  private void start(Optional<Duration> maxAge) throws Exception {
    client = new WireClient(ClientLimits.DEFAULT);
    DeciderSetup setup = new DeciderSetup(client, MECHANISMS, RULE.formatted("silent", silent.port(), "http")
        + RULE.formatted("begins", begins.port(), "http") + RULE.formatted("two", two.port(), "h2c"));
    ListenerSettings settings = ListenerSettings.plain("127.0.0.1", 0).with(ListenerSettings.TIMEOUT,
        new ListenerSettings.Timeouts(LONG, LONG, LONG, Optional.empty(), Optional.empty(), Optional.empty()));
    Log log = new Log(Level.INFO, LogFormat.GELF, writer, InstantSource.system(), "test");
    StreamRegistry streams = new StreamRegistry(setup.decider(), locks, new StreamSettings(maxAge),
        InstantSource.system(), log);
    streams.start();
    proxy = new Services(TelemetrySinks.NONE, log, InstantSource.system())
        .proxy(settings, Optional.empty(), setup.decider(), client, Optional.empty(), streams);
  }

  @AfterEach
  void stop() {
    proxy.stop(Duration.ofSeconds(1));
    client.close();
    silent.close();
    begins.close();
    two.close();
    writer.close();
  }

  private void lock() {
    locks.add(new Lock(Lock.Target.SUBJECT, "anonymous", "", Optional.empty(), "test", "command", Instant.now(),
        Optional.empty()));
  }

  private Socket asking(String head) throws Exception {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    socket.setSoTimeout(20_000);
    socket.getOutputStream().write((head + "\r\n\r\n").getBytes(ISO_8859_1));
    assertTrue(received.await(20, TimeUnit.SECONDS), "the upstream has the request");
    return socket;
  }

  private int status(String path, int version, Runnable ending) throws Exception {
    if (version == HTTP_1) {
      try (Socket socket = asking("GET /" + path + " HTTP/1.1\r\nHost: a.test")) {
        ending.run();
        return Integer.parseInt(new String(socket.getInputStream().readNBytes(12), ISO_8859_1).substring(9));
      }
    }
    BlockingQueue<HttpResponse<?>> response = new LinkedBlockingQueue<>();
    Thread.ofVirtual().start(() -> {
      try {
        response.add(client.send(
            new WireRequest(new WireRequest.Parts("GET", URI.create("h2c://127.0.0.1:" + proxy.port()), "/" + path,
                Fields.of("Host", "a.test"), InputStream.nullInputStream(), 0, () -> Fields.NONE,
                (_, _) -> {}, LONG, LONG)),
            HttpResponse.BodyHandlers.ofInputStream()));
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
    assertTrue(received.await(20, TimeUnit.SECONDS), "the upstream has the request");
    ending.run();
    return response.poll(20, TimeUnit.SECONDS).statusCode();
  }

  private String finished() throws Exception {
    Observing.await(() -> written.toString(UTF_8).contains("TX finished"));
    return written.toString(UTF_8).lines().filter(line -> line.contains("TX finished")).findFirst().orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({"silent,1", "silent,2", "two,1", "two,2"})
  void aLockBeforeTheResponseIsAnsweredLikeANewRequest(String path, int version) throws Exception {
    start(Optional.empty());
    assertEquals(401, status(path, version, this::lock));
    assertTrue(ended.await(20, TimeUnit.SECONDS), "the request to the upstream ends");
    String line = finished();
    assertTrue(line.contains("\"_error\":\"ended: access is locked\""), line);
    assertTrue(line.contains("\"_http_status_code\":401"), line);
  }

  @ParameterizedTest
  @CsvSource({"silent,1", "silent,2"})
  void theMaximumAgeBeforeTheResponseIsATimeoutOfTheUpstream(String path, int version) throws Exception {
    start(Optional.of(Duration.ofMillis(500)));
    assertEquals(504, status(path, version, () -> {}));
    String line = finished();
    assertTrue(line.contains("\"_error\":\"ended: the maximum age is reached\""), line);
  }

  @Test
  void theConnectionOfAnEndedRequestGoesOn() throws Exception {
    start(Optional.empty());
    try (Socket socket = asking("GET /silent HTTP/1.1\r\nHost: a.test")) {
      lock();
      socket.getOutputStream()
          .write("GET /x HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n".getBytes(ISO_8859_1));
      String all = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      assertTrue(all.startsWith("HTTP/1.1 401 ") && all.contains("HTTP/1.1 404 "), all);
    }
  }

  @Test
  void whatIsEndedWhileItsRequestIsSentIsAnsweredToo() throws Exception {
    start(Optional.empty());
    try (Socket socket = asking("POST /silent HTTP/1.1\r\nHost: a.test\r\nContent-Length: 10")) {
      lock();
      assertEquals("HTTP/1.1 401", new String(socket.getInputStream().readNBytes(12), ISO_8859_1));
    }
  }

  @Test
  void aResponseThatHasBegunBreaksOff() throws Exception {
    start(Optional.empty());
    try (Socket socket = asking("GET /begins HTTP/1.1\r\nHost: a.test")) {
      String begin = new String(socket.getInputStream().readNBytes(12), ISO_8859_1);
      assertEquals("HTTP/1.1 200", begin);
      lock();
      String rest = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      assertTrue(rest.endsWith("\r\n\r\nhello"), rest);
    }
  }

  @ParameterizedTest
  @CsvSource({"EXPIRED,401", "LOCKED,401", "RULES,403", "MAX_AGE,504"})
  void eachReasonHasItsResponse(EndReason reason, int status) throws Exception {
    start(Optional.empty());
    ErrorResponses errors = new ErrorResponses(ResponseSettings.DEFAULT,
        new Log(Level.INFO, LogFormat.GELF, writer, InstantSource.system(), "test"));
    assertEquals(status, ForwardedRequest.refusal(reason, errors, Fields.NONE).status());
  }
}
