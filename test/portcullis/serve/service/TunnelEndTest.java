package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.config.Yaml;
import portcullis.fixture.Await;
import portcullis.fixture.RawUpstream;
import portcullis.http.client.WireClient;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.decisions.DecisionLog;
import portcullis.observe.decisions.DecisionLogSettings;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.lock.Lock;
import portcullis.policy.lock.LockTable;
import portcullis.serve.stream.EndReason;
import portcullis.serve.stream.StreamKind;
import portcullis.serve.stream.StreamRegistry;
import portcullis.serve.stream.StreamSettings;

/** What is recorded and released at the end of a WebSocket, once, however it ends. */
class TunnelEndTest {
  private static final String RULE = "- {id: all, match: {routes: [{path: /**}]}, forward_to: {host: '127.0.0.1:%d',"
      + " rewrite: {scheme: http}}, execute: [{authenticator: anon}]}\n";
  private static final String UPGRADE = "GET /x HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade\r\n"
      + "Upgrade: websocket\r\n\r\n";

  private static final byte[] LATE_CLOSE = WebSocketFrames.close(1001, "the service stops", false);

  @TempDir
  private Path folder;
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final LogWriter writer = new LogWriter(written);
  private final Log log = new Log(Level.ERROR, LogFormat.GELF, writer, InstantSource.system(), "test");
  private final LockTable locks = new LockTable(InstantSource.system());
  private final BlockingQueue<RawUpstream.Peer> peers = new LinkedBlockingQueue<>();
  private final CountDownLatch over = new CountDownLatch(1);
  private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
  private volatile CountDownLatch answering = new CountDownLatch(0);
  private volatile boolean isLate;
  private Observing observing;
  private DecisionLog decisions;
  private RawUpstream upstream;
  private WireClient client;
  private StreamRegistry streams;
  private Listener listener;

  /** How a tunnel ends. */
  private enum End {
    CLIENT_LEAVES, CLIENT_RESETS, UPSTREAM_LEAVES, UPSTREAM_RESETS, LOCKED, STOPPED, IDLE
  }

  @BeforeEach
  void start() throws Exception {
    observing = new Observing();
    upstream = RawUpstream.of(peer -> {
      peer.head();
      awaitAnswering();
      peer.say("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
      peers.add(peer);
      if (isLate) {
        received.add(peer.read(LATE_CLOSE.length + 4));
      }
      peer.awaitEnd();
    });
    Problems problems = new Problems();
    DecisionLogSettings settings = Yaml
        .read(new SourceFile("c", "file: {path: \"" + folder.resolve("d.log") + "\"}"), problems)
        .flatMap(node -> DecisionLogSettings.decoder().decode(node, problems)).orElseThrow();
    decisions = DecisionLog.start(settings, log, InstantSource.system(), problems).orElseThrow();
  }

  private void awaitAnswering() {
    try {
      answering.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void listen(String idle) throws Exception {
    Problems problems = new Problems();
    ListenerSettings settings = Yaml.read(new SourceFile("f", "{connections_limit: {max_per_host: 2}, "
        + "request_limit: {in_flight: 1, peer_share: 100}, timeout: {idle: " + idle + "}}"), problems)
        .flatMap(node -> ListenerSettings.main(false, false).decode(node, problems)).orElseThrow()
        .with(ListenerSettings.HOST, "127.0.0.1").with(ListenerSettings.PORT, 0);
    client = new WireClient(settings.upstreamLimits());
    DeciderSetup setup = new DeciderSetup(client, "authenticators: [{id: anon, type: anonymous}]\n",
        RULE.formatted(upstream.port()));
    streams = new StreamRegistry(setup.decider(), locks, StreamSettings.DEFAULT, InstantSource.system(), log);
    streams.start();
    TelemetrySinks sinks = new TelemetrySinks(observing.all().tracer(), observing.all().instruments(),
        Optional.of(decisions));
    listener = new Services(sinks, log, InstantSource.system()).proxy(settings, Optional.empty(), setup.decider(),
        client, Optional.empty(), streams);
  }

  @AfterEach
  void stop() throws Exception {
    over.countDown();
    answering.countDown();
    listener.stop(Duration.ofSeconds(1));
    client.close();
    upstream.close();
    decisions.close();
    observing.close();
    writer.close();
  }

  private Socket opened() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port());
    socket.setSoTimeout(30_000);
    socket.getOutputStream().write(UPGRADE.getBytes(ISO_8859_1));
    return socket;
  }

  private static String head(Socket socket) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int c = socket.getInputStream().read();
      if (c < 0) {
        break;
      }
      head.append((char) c);
    }
    return head.toString();
  }

  private static String status(Socket socket) throws IOException {
    return head(socket).substring(9, 12);
  }

  private List<String> logged(String part) {
    return written.toString(UTF_8).lines().filter(line -> line.contains(part)).toList();
  }

  private List<String> decided() throws IOException {
    return Files.readAllLines(folder.resolve("d.log"));
  }

  private String active() {
    return String.join(" ", observing.measured("http.server.active_requests").values());
  }

  private String durations() {
    return String.join(" ", observing.measured("http.server.request.duration").values()).replace("0 of 0", "");
  }

  /** Speaks all the time, as a tunnel that is quiet for a second is ended where there is no room for others. */
  private static void chatter(RawUpstream.Peer peer) {
    Thread.ofVirtual().start(() -> {
      try {
        while (true) {
          peer.say("x");
          Await.pause(50);
        }
      } catch (IOException | InterruptedException _) {
        // it has ended
      }
    });
  }

  private void end(End how, Socket socket, RawUpstream.Peer peer) throws Exception {
    switch (how) {
      case CLIENT_LEAVES -> socket.close();
      case CLIENT_RESETS -> {
        socket.setSoLinger(true, 0);
        socket.close();
      }
      case UPSTREAM_LEAVES -> {
        peer.endOutput();
        assertEquals(-1, socket.getInputStream().read());
        socket.close();
      }
      case UPSTREAM_RESETS -> peer.reset();
      case LOCKED -> locks.add(new Lock(Lock.Target.SUBJECT, "anonymous", "", Optional.empty(), "test", "command",
          Instant.now(), Optional.empty()));
      case STOPPED -> listener.stop(Duration.ofSeconds(20));
      case IDLE -> {
      }
    }
  }

  @ParameterizedTest
  @EnumSource(End.class)
  void everyEndIsRecordedOnceAndReleasesWhatItHad(End how) throws Exception {
    listen(how == End.IDLE ? "4s" : "1m");
    try (Socket socket = opened()) {
      assertEquals("101", status(socket));
      RawUpstream.Peer peer = peers.poll(20, TimeUnit.SECONDS);
      Await.until(() -> logged("TX started").size() == 1);
      assertEquals(List.of(), logged("TX finished"));
      assertEquals("1 ", active() + " " + durations());
      end(how, socket, peer);
      Await.until(() -> !logged("TX finished").isEmpty() && active().equals("0") && !durations().isEmpty());
      Await.until(() -> streams.active().get(StreamKind.WEBSOCKET) == 0 && client.connections() == 0);
    }
    assertEquals("0 1 of time", active() + " " + durations());
    assertEquals(0, streams.active().get(StreamKind.WEBSOCKET) + client.connections());
    Await.until(() -> observing.spans(1).stream().anyMatch(one -> one.kind() == 2));
    Observing.Seen span = observing.server(1);
    assertEquals("101", span.attributes().get("http.response.status_code"));
    if (how != End.STOPPED && how != End.LOCKED) {
      try (Socket next = opened()) {
        assertEquals("101", status(next));
        chatter(peers.poll(20, TimeUnit.SECONDS));
        try (Socket beyond = opened()) {
          boolean refused = status(beyond).equals("503");
          assertTrue(refused || next.getInputStream().readNBytes(100).length < 100, "each place was released once");
        }
      }
    }
    String finished = logged("TX finished").getFirst();
    for (String part : List.of("\"_http_path\":\"/x\"", "\"_http_status_code\":101", "\"_access_granted\":true",
        "\"_rule\":\"all\"", "\"_span_id\":\"" + span.id() + "\"", "\"_tx_duration_ms\":")) {
      assertTrue(finished.contains(part), part + " in " + finished);
    }
    assertEquals(how == End.LOCKED, finished.contains("\"_error\":\"ended: access is locked\""), finished);
    assertEquals(how == End.IDLE, finished.contains("\"_error\":\"nothing has passed for longer than"), finished);
    assertEquals(how == End.STOPPED, finished.contains("\"_error\":\"ended: the service stops\""), finished);
    assertEquals(how == End.IDLE ? 1 : 0, streams.ended(EndReason.IDLE));
    String by = switch (how) {
      case CLIENT_LEAVES, CLIENT_RESETS -> "client";
      case UPSTREAM_LEAVES, UPSTREAM_RESETS -> "upstream";
      case LOCKED, STOPPED, IDLE -> "portcullis";
    };
    int status = how == End.LOCKED ? 1008 : how == End.STOPPED ? 1001 : 1006;
    assertTrue(finished.contains("\"_ended_by\":\"" + by + "\",\"_close_status\":" + status + ","), finished);
  }

  /** Its upstream has taken its time. */
  @Test
  void aTunnelThatBeginsAtAStopIsClosedOnBothSides() throws Exception {
    isLate = true;
    answering = new CountDownLatch(1);
    listen("1m");
    try (Socket socket = opened()) {
      Await.until(() -> streams.active().get(StreamKind.WEBSOCKET) == 1);
      Thread stopping = Thread.ofVirtual().start(() -> listener.stop(Duration.ofSeconds(60)));
      Await.until(this::isShut);
      answering.countDown();
      assertEquals("101", status(socket));
      assertArrayEquals(LATE_CLOSE, socket.getInputStream().readNBytes(LATE_CLOSE.length));
      assertEquals((char) 0x88, received.poll(20, TimeUnit.SECONDS).charAt(0));
      stopping.join();
    }
    Await.until(() -> !logged("TX finished").isEmpty());
    assertTrue(logged("TX finished").getFirst().contains("\"_ended_by\":\"portcullis\",\"_close_status\":1001,"),
        logged("TX finished").toString());
  }

  private boolean isShut() {
    try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
      return false;
    } catch (IOException _) {
      return true;
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCloseFrameIsRecordedWithItsStatus(boolean byClient) throws Exception {
    listen("10m");
    try (Socket socket = opened()) {
      assertEquals("101", status(socket));
      RawUpstream.Peer peer = peers.poll(20, TimeUnit.SECONDS);
      byte[] close = WebSocketFrames.close(1008, "bye", byClient);
      if (byClient) {
        socket.getOutputStream().write(close);
        socket.shutdownOutput();
      } else {
        peer.say(close);
        assertEquals(close.length, socket.getInputStream().readNBytes(close.length).length);
        socket.getOutputStream().write(WebSocketFrames.close(1008, "the answer", true));
        socket.shutdownOutput();
      }
      Await.until(() -> !logged("TX finished").isEmpty());
    }
    String finished = logged("TX finished").getFirst();
    String by = byClient ? "client" : "upstream";
    assertTrue(finished.contains("\"_ended_by\":\"" + by + "\",\"_close_status\":1008,"), finished);
    assertFalse(finished.contains("_error"), finished);
  }

  /** The other one is not told, or does not care. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSideThatLeavesEndsTheOtherOneSoon(boolean byClient) throws Exception {
    listen("10m");
    try (Socket socket = opened()) {
      assertEquals("101", status(socket));
      RawUpstream.Peer peer = peers.poll(20, TimeUnit.SECONDS);
      if (byClient) {
        socket.shutdownOutput();
      } else {
        peer.endOutput();
      }
      assertEquals(-1, socket.getInputStream().read());
      Await.until(() -> !logged("TX finished").isEmpty() && client.connections() == 0);
    }
    String by = byClient ? "client" : "upstream";
    String finished = logged("TX finished").getFirst();
    assertTrue(finished.contains("\"_ended_by\":\"" + by + "\",\"_close_status\":1006,"), finished);
  }

  @Test
  void anInvalidFrameIsNamed() throws Exception {
    listen("10m");
    try (Socket socket = opened()) {
      assertEquals("101", status(socket));
      socket.getOutputStream().write(WebSocketFrames.close(1008, "bye", false));
      peers.poll(20, TimeUnit.SECONDS).endOutput();
      Await.until(() -> !logged("TX finished").isEmpty());
    }
    assertTrue(logged("TX finished").getFirst().contains(
        "\"_error\":\"invalid WebSocket frame from the client: it is not masked\""), logged("TX").toString());
  }

  /** Returns how many objects of that class are reachable. */
  private static long count(String name) throws JMException {
    String histogram = (String) ManagementFactory.getPlatformMBeanServer().invoke(
        new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram",
        new Object[] {new String[0]}, new String[] {String[].class.getName()});
    return histogram.lines().filter(line -> line.endsWith(" " + name))
        .mapToLong(line -> Long.parseLong(line.strip().split("\\s+")[1])).sum();
  }

  private static long exchanges() throws JMException {
    return count("portcullis.http.server.Exchange") + count("portcullis.http.server.Http1Response");
  }

  @Test
  void nothingOfTheExchangeIsKeptWhileTheTunnelLasts() throws Exception {
    listen("10m");
    long others = exchanges(); // what tests before it in this JVM may have left
    try (Socket socket = opened()) {
      assertEquals("101", status(socket));
      Await.until(() -> exchanges() <= others, () -> exchanges() + " instead of " + others);
      assertTrue(count("portcullis.serve.stream.LiveStream") >= 1);
    }
  }

  @Test
  void theDecisionIsLoggedWhenTheTunnelBegins() throws Exception {
    listen("1m");
    try (Socket socket = opened()) {
      assertEquals("101", status(socket));
      Await.until(() -> {
        try {
          return !decided().isEmpty();
        } catch (IOException e) {
          return false;
        }
      });
      assertTrue(decided().getFirst().contains("\"status\":101"), decided().toString());
    }
    Await.until(() -> !logged("TX finished").isEmpty());
    assertEquals(1, decided().size());
  }
}
