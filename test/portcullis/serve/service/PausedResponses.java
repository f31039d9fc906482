package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
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
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import portcullis.config.Yaml;
import portcullis.crypto.keys.ServerTls;
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

/** A proxy whose upstream sends a part of a response, and then what a test says. */
abstract class PausedResponses {
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
      - id: revalidated
        match: {routes: [{path: /revalidated}]}
        forward_to: {host: 'localhost:%1$d', rewrite: {scheme: %2$s}}
        revalidate: 4s
        execute: [{authenticator: session}]
      """;
  private static final String EVENTS = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
      + "Transfer-Encoding: chunked\r\n\r\n";
  static final Duration PAUSE = Duration.ofMillis(1600);

  final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final LogWriter writer = new LogWriter(written);
  private final Log log = new Log(Level.ERROR, LogFormat.GELF, writer, InstantSource.system(), "test");
  final LockTable locks = new LockTable(InstantSource.system());
  private final BlockingQueue<RawUpstream.Peer> peers = new LinkedBlockingQueue<>();
  final CountDownLatch over = new CountDownLatch(1);
  RawUpstream upstream;
  WireClient client;
  Listener listener;
  Observing observing;
  StreamRegistry streams;
  /** For how long a session lasts; 0 once there is none. */
  volatile long sessionSeconds = 600;

  /** How a paused response ends. */
  enum End {
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
    upstream = upstream(peer -> {
      for (String head = peer.head(); !head.isEmpty(); head = peer.head()) {
        if (head.startsWith("GET /short ")) {
          peer.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nshort");
          continue;
        }
        if (head.startsWith("GET /session ")) {
          peer.say(session());
          return;
        }
        if (head.startsWith("GET /tunnel ")) {
          peer.say("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
          peers.add(peer);
          await();
          return;
        }
        if (head.startsWith("POST ")) {
          peer.read(head.contains("\r\nContent-Length: 4\r\n") ? 4 : "4\r\nbody\r\n0\r\n\r\n".length());
        }
        if (head.startsWith("GET /late ")) {
          LockSupport.parkNanos(400_000_000);
        }
        peer.say(head.startsWith("GET /until-close ") ? "HTTP/1.1 200 OK\r\n\r\n"
            : head.startsWith("GET /length") ? "HTTP/1.1 200 OK\r\nContent-Length: 21\r\n\r\n" : EVENTS);
        peers.add(peer);
        await();
        if (!head.contains("again ")) {
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

  void listen(String idle) throws Exception {
    listen(idle, StreamSettings.DEFAULT);
  }

  void listen(String idle, StreamSettings lifetimes) throws Exception {
    Problems problems = new Problems();
    ListenerSettings settings = Yaml.read(new SourceFile("f", "{connections_limit: {max_per_host: 2}, "
        + "request_limit: {in_flight: 2, peer_share: 100}, timeout: {idle: " + idle + "}}"), problems)
        .flatMap(node -> ListenerSettings.main(false, false).decode(node, problems)).orElseThrow()
        .with(ListenerSettings.HOST, "127.0.0.1").with(ListenerSettings.PORT, 0);
    client = new WireClient(settings.upstreamLimits(), trusting());
    DeciderSetup setup = new DeciderSetup(client, MECHANISMS.formatted(upstream.port(), scheme()),
        RULES.formatted(upstream.port(), scheme()));
    streams = new StreamRegistry(setup.decider(), locks, lifetimes, InstantSource.system(), log);
    streams.start();
    TelemetrySinks sinks = new TelemetrySinks(observing.all().tracer(), observing.all().instruments(),
        Optional.empty());
    listener = new Services(sinks, log, InstantSource.system()).proxy(settings, tls(), setup.decider(),
        observing.watched(client), Optional.empty(), streams);
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

  /** Returns the upstream, with TLS or not. */
  abstract RawUpstream upstream(RawUpstream.Script script);

  /** Returns the TLS of the listener, if it has any. */
  abstract Optional<ServerTls> tls() throws Exception;

  /** Returns a connection to the listener. */
  abstract Socket connection(int port) throws IOException;

  abstract SSLContext trusting() throws Exception;

  abstract String scheme();

  Socket connected() throws IOException {
    Socket socket = connection(listener.port());
    socket.setSoTimeout(30_000);
    return socket;
  }

  Socket opened(String path) throws IOException {
    Socket socket = connected();
    ask(socket, path);
    return socket;
  }

  static void ask(Socket socket, String path) throws IOException {
    socket.getOutputStream().write(("GET " + path + " HTTP/1.1\r\nHost: a.test\r\n\r\n").getBytes(ISO_8859_1));
  }

  static void read(Socket socket, String end) throws IOException {
    StringBuilder text = new StringBuilder();
    while (text.indexOf(end) < 0) {
      int c = socket.getInputStream().read();
      assertTrue(c >= 0, "the connection ends after " + text);
      text.append((char) c);
    }
  }

  RawUpstream.Peer peer() throws InterruptedException {
    return peers.poll(20, TimeUnit.SECONDS);
  }

  static void event(RawUpstream.Peer peer, String text) throws IOException {
    peer.say(Integer.toHexString(text.length()) + "\r\n" + text + "\r\n");
  }

  List<String> finished() {
    return written.toString(UTF_8).lines().filter(line -> line.contains("TX finished")).toList();
  }

  /** Returns the number of threads that serve requests, apart from those that wait for one. */
  static long serving() throws Exception {
    LockSupport.parkNanos(200_000_000); // dumps in close succession have crashed a JVM
    Runtime.getRuntime().gc();
    java.nio.file.Path folder = java.nio.file.Files.createTempDirectory("dump");
    java.nio.file.Path dump = folder.resolve("threads");
    java.lang.management.ManagementFactory
        .getPlatformMXBean(com.sun.management.HotSpotDiagnosticMXBean.class)
        .dumpThreads(dump.toString(), com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
    String text = java.nio.file.Files.readString(dump);
    java.nio.file.Files.delete(dump);
    java.nio.file.Files.delete(folder);
    return text.lines().filter(line -> line.contains("http.message.ResponseWriter.")
        || line.contains("serve.service.CopiedTunnel")
        || line.contains("http.server.ReadAhead.run")).count();
  }

  /** Lets a response end in that way. */
  void end(End how, Socket socket, RawUpstream.Peer peer) throws Exception {
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
}
