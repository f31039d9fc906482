package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.config.Yaml;
import portcullis.fixture.RawUpstream;
import portcullis.http.client.WireClient;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.lock.Lock;
import portcullis.policy.lock.LockTable;
import portcullis.serve.stream.StreamRegistry;
import portcullis.serve.stream.StreamSettings;

/** A response whose upstream says nothing for a while: no thread waits for it, and nothing of it is lost. */
class PausedResponseTest {
  private static final String MECHANISMS = """
      authenticators:
      - {id: anon, type: anonymous}
      - id: session
        type: generic
        config:
          identity_info_endpoint: {url: 'http://127.0.0.1:%1$d/session', method: GET}
          authentication_data_source: [{query_parameter: id}]
          subject: {id: user}
          session_lifespan: {not_after: ends}
      """;
  private static final String RULES = """
      - id: all
        match: {routes: [{path: /**}]}
        forward_to: {host: '127.0.0.1:%1$d', rewrite: {scheme: http}}
        execute: [{authenticator: anon}]
      - id: expiring
        match: {routes: [{path: /expiring}]}
        forward_to: {host: '127.0.0.1:%1$d', rewrite: {scheme: http}}
        execute: [{authenticator: session}]
      - id: revalidated
        match: {routes: [{path: /revalidated}]}
        forward_to: {host: '127.0.0.1:%1$d', rewrite: {scheme: http}}
        revalidate: 4s
        execute: [{authenticator: session}]
      """;
  private static final String EVENTS = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
      + "Transfer-Encoding: chunked\r\n\r\n";
  private static final Duration PAUSE = Duration.ofMillis(1600);

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final LogWriter writer = new LogWriter(written);
  private final Log log = new Log(Level.ERROR, LogFormat.GELF, writer, InstantSource.system(), "test");
  private final LockTable locks = new LockTable(InstantSource.system());
  private final BlockingQueue<RawUpstream.Peer> peers = new LinkedBlockingQueue<>();
  private final CountDownLatch over = new CountDownLatch(1);
  private RawUpstream upstream;
  private WireClient client;
  private Listener listener;
  private Observing observing;
  private StreamRegistry streams;
  /** For how long a session lasts; 0 once there is none. */
  private volatile long sessionSeconds = 600;

  /** How a paused response ends. */
  private enum End {
    CLIENT_LEAVES, CLIENT_RESETS, UPSTREAM_LEAVES, UPSTREAM_RESETS, LOCKED, STOPPED, IDLE, EXPIRED, MAX_AGE, REFUSED;

    String path() {
      return switch (this) {
        case EXPIRED -> "/expiring?id=1";
        case REFUSED -> "/revalidated?id=1";
        default -> "/x";
      };
    }
  }

  @BeforeEach
  void start() throws Exception {
    observing = new Observing();
    upstream = RawUpstream.of(peer -> {
      for (String head = peer.head(); !head.isEmpty(); head = peer.head()) {
        if (head.startsWith("GET /short ")) {
          peer.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nshort");
          continue;
        }
        if (head.startsWith("GET /session ")) {
          peer.say(session());
          return;
        }
        if (head.startsWith("POST ")) {
          peer.read(head.contains("\r\nContent-Length: 4\r\n") ? 4 : "4\r\nbody\r\n0\r\n\r\n".length());
        }
        if (head.startsWith("GET /late ")) {
          LockSupport.parkNanos(400_000_000);
        }
        peer.say(head.startsWith("GET /until-close ") ? "HTTP/1.1 200 OK\r\n\r\n" : EVENTS);
        peers.add(peer);
        await();
        if (!head.contains(" /again ")) {
          return;
        }
      }
    });
  }

  /** Returns what is known of the session of the request. */
  private String session() {
    long end = Instant.now().getEpochSecond() + sessionSeconds;
    String body = "{\"user\": \"ann\", \"ends\": " + end + "}";
    return sessionSeconds == 0 ? "HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        : "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: " + body.length()
            + "\r\n\r\n" + body;
  }

  private void await() {
    try {
      over.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void listen(String idle) throws Exception {
    listen(idle, StreamSettings.DEFAULT);
  }

  private void listen(String idle, StreamSettings lifetimes) throws Exception {
    Problems problems = new Problems();
    ListenerSettings settings = Yaml.read(new SourceFile("f", "{connections_limit: {max_per_host: 2}, "
        + "request_limit: {in_flight: 2, peer_share: 100}, timeout: {idle: " + idle + "}}"), problems)
        .flatMap(node -> ListenerSettings.main(false, false).decode(node, problems)).orElseThrow()
        .with(ListenerSettings.HOST, "127.0.0.1").with(ListenerSettings.PORT, 0);
    client = new WireClient(settings.upstreamLimits());
    DeciderSetup setup = new DeciderSetup(client, MECHANISMS.formatted(upstream.port()),
        RULES.formatted(upstream.port()));
    streams = new StreamRegistry(setup.decider(), locks, lifetimes, InstantSource.system(), log);
    streams.start();
    TelemetrySinks sinks = new TelemetrySinks(observing.all().tracer(), observing.all().instruments(),
        Optional.empty());
    listener = new Services(sinks, log, InstantSource.system()).proxy(settings, Optional.empty(), setup.decider(),
        client, Optional.empty(), streams);
  }

  @AfterEach
  void stop() throws Exception {
    over.countDown();
    listener.stop(Duration.ofSeconds(1));
    client.close();
    upstream.close();
    observing.close();
    writer.close();
  }

  private Socket connected() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port());
    socket.setSoTimeout(30_000);
    return socket;
  }

  private Socket opened(String path) throws IOException {
    Socket socket = connected();
    ask(socket, path);
    return socket;
  }

  private static void ask(Socket socket, String path) throws IOException {
    socket.getOutputStream().write(("GET " + path + " HTTP/1.1\r\nHost: a.test\r\n\r\n").getBytes(ISO_8859_1));
  }

  private static void read(Socket socket, String end) throws IOException {
    StringBuilder text = new StringBuilder();
    while (text.indexOf(end) < 0) {
      int c = socket.getInputStream().read();
      assertTrue(c >= 0, "the connection ends after " + text);
      text.append((char) c);
    }
  }

  private RawUpstream.Peer peer() throws InterruptedException {
    return peers.poll(20, TimeUnit.SECONDS);
  }

  private static void event(RawUpstream.Peer peer, String text) throws IOException {
    peer.say(Integer.toHexString(text.length()) + "\r\n" + text + "\r\n");
  }

  private List<String> finished() {
    return written.toString(UTF_8).lines().filter(line -> line.contains("TX finished")).toList();
  }

  /** Returns the number of threads that serve requests, apart from those that wait for one. */
  private static long serving() throws Exception {
    Runtime.getRuntime().gc();
    java.nio.file.Path dump = java.nio.file.Files.createTempDirectory("dump").resolve("threads");
    java.lang.management.ManagementFactory
        .getPlatformMXBean(com.sun.management.HotSpotDiagnosticMXBean.class)
        .dumpThreads(dump.toString(), com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
    String text = java.nio.file.Files.readString(dump);
    java.nio.file.Files.delete(dump);
    return text.lines().filter(line -> line.contains("http.message.ResponseWriter.")
        || line.contains("http.server.ReadAhead.run")).count();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/x", "/late", "/until-close"})
  void noThreadWaitsForAQuietResponseWhichGoesOn(String path) throws Exception {
    listen("1m");
    try (Socket socket = opened(path)) {
      RawUpstream.Peer peer = peer();
      boolean chunked = !path.equals("/until-close");
      for (int i = 0; i < 2; i++) {
        String text = "data: " + i + "\n\n";
        if (chunked) {
          event(peer, text);
        } else {
          peer.say(text);
        }
        read(socket, text);
        Observing.await(() -> {
          try {
            return serving() == 0;
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
        assertEquals(List.of(), finished());
      }
      peer.say(chunked ? "0\r\nX-End: 1\r\n\r\n" : "end");
      if (!chunked) {
        peer.endOutput();
      }
      read(socket, chunked ? "0\r\nX-End: 1\r\n\r\n" : "0\r\n\r\n");
      Observing.await(() -> !finished().isEmpty());
      assertTrue(finished().getFirst().contains("\"_body_bytes_sent\":" + (chunked ? 18 : 21)), finished().toString());
      assertFalse(finished().getFirst().contains("_error"), finished().toString());
    }
  }

  @Test
  void theHeadIsSentBeforeThePause() throws Exception {
    listen("1m");
    try (Socket socket = opened("/x")) {
      read(socket, "\r\n\r\n");
    }
  }

  private void end(End how, Socket socket, RawUpstream.Peer peer) throws Exception {
    switch (how) {
      case CLIENT_LEAVES -> socket.close();
      case CLIENT_RESETS -> {
        socket.setSoLinger(true, 0);
        socket.close();
      }
      case UPSTREAM_LEAVES -> over.countDown();
      case UPSTREAM_RESETS -> peer.reset();
      case LOCKED -> locks.add(new Lock(Lock.Target.SUBJECT, "anonymous", "", Optional.empty(), "test", "command",
          Instant.now(), Optional.empty()));
      case STOPPED -> listener.stop(Duration.ofMillis(100));
      case REFUSED -> sessionSeconds = 0;
      case IDLE, EXPIRED, MAX_AGE -> {
      }
    }
  }

  @ParameterizedTest
  @EnumSource(End.class)
  void everyEndIsRecordedOnceAndReleasesWhatItHad(End how) throws Exception {
    listen(how == End.IDLE ? "3s" : "1m",
        new StreamSettings(how == End.MAX_AGE ? Optional.of(Duration.ofSeconds(4)) : Optional.empty()));
    sessionSeconds = how == End.EXPIRED ? 5 : 600;
    try (Socket socket = opened(how.path())) {
      RawUpstream.Peer peer = peer();
      event(peer, "data: 1\n\n");
      read(socket, "data: 1\n\n");
      Thread.sleep(PAUSE);
      assertEquals(List.of(), finished());
      end(how, socket, peer);
      Observing.await(() -> !finished().isEmpty() && client.connections() == 0
          && String.join(" ", observing.measured("http.server.active_requests").values()).equals("0"));
      if (!socket.isClosed()) {
        String rest = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        assertFalse(rest.endsWith("0\r\n\r\n"), "the client sees that it is not whole");
      }
    } catch (java.net.SocketException _) {
      // a reset, from which it sees that, too
    }
    assertEquals(1, finished().size());
    String expected = switch (how) {
      case CLIENT_LEAVES, CLIENT_RESETS, STOPPED -> "the client has gone";
      case UPSTREAM_LEAVES, UPSTREAM_RESETS -> "the answer of the upstream broke off";
      case IDLE -> "the upstream has sent nothing for longer than `timeout.idle`";
      case LOCKED -> "ended: access is locked";
      case EXPIRED -> "ended: the credential has expired";
      case MAX_AGE -> "ended: the maximum age is reached";
      case REFUSED -> "ended: the rules no longer allow it";
    };
    assertTrue(finished().getFirst().contains("\"_error\":\"" + expected + "\""), finished().toString());
    assertEquals(0, streams.active().values().stream().mapToInt(n -> n).sum());
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET /again HTTP/1.1\r\nHost: a.test\r\n\r\n",
    "POST /again HTTP/1.1\r\nHost: a.test\r\nContent-Length: 4\r\n\r\nbody",
    "POST /again HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n"})
  void connectionsGoOnAfterAPausedResponse(String request) throws Exception {
    listen("1m");
    try (Socket socket = connected()) {
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      RawUpstream.Peer peer = peer();
      event(peer, "data: 1\n\n");
      read(socket, "data: 1\n\n");
      Thread.sleep(PAUSE);
      peer.say("0\r\n\r\n");
      over.countDown();
      read(socket, "0\r\n\r\n");
      ask(socket, "/short");
      read(socket, "short");
      assertEquals(1, upstream.connections());
    }
  }

  @Test
  void oneWithoutChunksGoesOnWithoutThem() throws Exception {
    listen("1m");
    try (Socket socket = connected()) {
      socket.getOutputStream().write("GET /x HTTP/1.0\r\nHost: a.test\r\n\r\n".getBytes(ISO_8859_1));
      RawUpstream.Peer peer = peer();
      event(peer, "data: 1\n\n");
      read(socket, "data: 1\n\n");
      Thread.sleep(PAUSE);
      event(peer, "data: 2\n\n");
      peer.say("0\r\n\r\n");
      assertEquals("data: 2\n\n", new String(socket.getInputStream().readAllBytes(), ISO_8859_1));
    }
  }

  @Test
  void aRequestBehindAPausedOneIsServedAfterIt() throws Exception {
    listen("1m");
    try (Socket socket = opened("/again")) {
      RawUpstream.Peer peer = peer();
      event(peer, "data: 1\n\n");
      read(socket, "data: 1\n\n");
      Thread.sleep(PAUSE);
      ask(socket, "/short");
      Thread.sleep(300);
      event(peer, "data: 2\n\n");
      read(socket, "data: 2\n\n");
      peer.say("0\r\n\r\n");
      over.countDown();
      read(socket, "0\r\n\r\n");
      read(socket, "short");
    }
  }

  @Test
  void bytesThatComeJustWhileItIsPausedAreNotLost() throws Exception {
    listen("1m");
    try (Socket socket = opened("/x")) {
      RawUpstream.Peer peer = peer();
      for (int i = 0; i < 12; i++) {
        event(peer, "data: " + i + "\n\n");
        read(socket, "data: " + i + "\n\n");
        Thread.sleep(985 + 3 * i);
      }
      peer.say("0\r\n\r\n");
      read(socket, "0\r\n\r\n");
    }
  }
}
