package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

/** What becomes of a request at its upstream, which takes its time, when its client leaves. */
class LeavingClientsTest {
  private static final String MECHANISMS = "authenticators: [{id: anon, type: anonymous}]\n";
  private static final String RULE = """
      - id: %1$s
        match: {routes: [{path: /%1$s}]}
        forward_to: {host: "127.0.0.1:%2$d", rewrite: {scheme: %3$s}}
        execute: [{authenticator: anon}]
      """;
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final String BEGUN = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello";

  private final CountDownLatch receivedCalls = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final LogWriter writer = new LogWriter(written);
  private RawUpstream silent;
  private RawUpstream begins;
  private RawUpstream two;
  private WireClient client;
  private Listener proxy;

  @BeforeEach
  void start() throws Exception {
    silent = RawUpstream.of(peer -> awaitEnd(peer, ""));
    begins = RawUpstream.of(peer -> awaitEnd(peer, BEGUN));
    two = RawUpstream.of(peer -> {
      FramePeer frames = FramePeer.greet(peer);
      frames.head();
      receivedCalls.countDown();
      assertEquals(8, frames.next(FramePeer.RST_STREAM).integer(0), "CANCEL");
      ended.countDown();
      frames.head();
      frames.answer(3, "next");
      frames.awaitEnd();
    });
    client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault());
    DeciderSetup setup = new DeciderSetup(client, MECHANISMS, RULE.formatted("silent", silent.port(), "http")
        + RULE.formatted("begins", begins.port(), "http") + RULE.formatted("two", two.port(), "h2c"));
    ListenerSettings settings = ListenerSettings.plain("127.0.0.1", 0).with(ListenerSettings.TIMEOUT,
        new ListenerSettings.Timeouts(LONG, LONG, LONG, Optional.empty(), Optional.empty(), Optional.empty()));
    Log log = new Log(Level.INFO, LogFormat.GELF, writer, InstantSource.system(), "test");
    proxy = new Services(TelemetrySinks.NONE, log, InstantSource.system())
        .proxy(settings, Optional.empty(), setup.decider(), client);
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

  private void awaitEnd(RawUpstream.Peer peer, String answer) throws IOException {
    peer.head();
    peer.say(answer);
    receivedCalls.countDown();
    try {
      peer.awaitEnd();
    } catch (IOException _) {
      // a reset, where the proxy has not read all of the answer
    }
    ended.countDown();
  }

  private Socket asking(String path) throws Exception {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    socket.setSoTimeout(20_000);
    socket.getOutputStream()
        .write(("GET /" + path + " HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n").getBytes(ISO_8859_1));
    assertTrue(receivedCalls.await(20, TimeUnit.SECONDS), "the upstream has been asked");
    return socket;
  }

  private void assertEnded() throws InterruptedException {
    assertTrue(ended.await(20, TimeUnit.SECONDS), "the request to the upstream ends long before its time");
  }

  @ParameterizedTest
  @ValueSource(strings = {"silent", "begins", "two"})
  void aClientThatLeavesEndsItsUpstreamRequest(String upstream) throws Exception {
    asking(upstream).close();
    assertEnded();
    proxy.stop(Duration.ofSeconds(10));
    writer.close();
    String log = written.toString(StandardCharsets.UTF_8);
    assertTrue(log.contains("\"_error\":\"the client has gone\""), log);
    assertTrue(!log.contains("Proxying error"), log);
  }

  @ParameterizedTest
  @ValueSource(strings = {"silent", "begins", "two"})
  void aClientThatEndsItsOutputHasLeft(String upstream) throws Exception {
    try (Socket socket = asking(upstream)) {
      socket.shutdownOutput();
      assertEnded();
      String got = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      assertTrue(upstream.equals("begins") ? !got.endsWith("hellohello") : got.isEmpty(), got);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"silent", "begins", "two"})
  void aStreamThatItsClientResetsEndsItsUpstreamRequest(String upstream) throws Exception {
    Thread asking = Thread.ofVirtual().start(() -> {
      try (InputStream body = over2("/" + upstream).body()) {
        body.readAllBytes();
      } catch (IOException | InterruptedException e) {
        // that is what the interrupt does; the end of the stream is sent when the body is closed at the latest
      }
    });
    assertTrue(receivedCalls.await(20, TimeUnit.SECONDS), "the upstream has been asked");
    asking.interrupt();
    assertEnded();
  }

  @Test
  void otherStreamsToTheUpstreamGoOn() throws Exception {
    asking("two").close();
    assertEnded();
    try (InputStream body = over2("/two").body()) {
      assertEquals("next", new String(body.readAllBytes(), ISO_8859_1));
    }
    assertEquals(1, two.connections());
  }

  private HttpResponse<InputStream> over2(String path) throws IOException, InterruptedException {
    return client.send(
        new WireRequest(new WireRequest.Parts("GET", URI.create("h2c://127.0.0.1:" + proxy.port()), path,
            Fields.of("Host", "a.test"), InputStream.nullInputStream(), 0, () -> Fields.NONE, (_, _) -> {}, LONG,
            LONG)),
        HttpResponse.BodyHandlers.ofInputStream());
  }
}
