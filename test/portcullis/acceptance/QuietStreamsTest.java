package portcullis.acceptance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.Await;
import portcullis.fixture.FreePort;
import portcullis.fixture.RawUpstream;
import portcullis.fixture.RunningImage;
import portcullis.fixture.TokenIssuer;

/** Hundreds of streams of events through the built image that say nothing for a while, and how they end. */
class QuietStreamsTest {
  private static final int STREAMS = 300;
  private static final Duration QUIET = Duration.ofSeconds(4);
  private static final String CONFIG = """
      log: {level: info, format: text}
      tracing: {enabled: false}
      metrics: {enabled: false}
      serve: {host: 127.0.0.1, port: %d}
      management: {host: 127.0.0.1, port: %d, locks: {key_file: lock.key}}
      mechanisms:
        authenticators:
          - id: token
            type: jwt
            config: {jwks_endpoint: {url: "%s"}, assertions: {issuers: [https://idp.example]}}
      providers: {file_system: {src: rules}}
      """;
  private static final String RULES = """
      version: 1alpha4
      rules:
      - id: r
        match: {routes: [{path: "/**"}]}
        forward_to: {host: "%s", rewrite: {scheme: http}}
        execute: [{authenticator: token}]
      """;

  @TempDir
  private Path folder;
  private final Queue<RawUpstream.Peer> peers = new ConcurrentLinkedQueue<>();
  private final CountDownLatch over = new CountDownLatch(1);
  private final List<Socket> clients = new ArrayList<>();
  private final int port = FreePort.next();
  private final int management = FreePort.next();
  private TokenIssuer issuer;
  private RawUpstream upstream;
  private RunningImage image;

  @BeforeEach
  void start() throws Exception {
    issuer = new TokenIssuer();
    upstream = RawUpstream.of(peer -> {
      if (!peer.head().isEmpty()) {
        peer.say("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
        event(peer, "first");
        peers.add(peer);
        peer.awaitEnd();
      }
    });
    Files.createDirectory(folder.resolve("rules"));
    Files.writeString(folder.resolve("rules/r.yaml"), RULES.formatted(upstream.host()));
    Files.writeString(folder.resolve("config.yaml"), CONFIG.formatted(port, management, issuer.jwksUrl()));
    Path key = Files.writeString(folder.resolve("lock.key"), "5".repeat(64) + "\n");
    Files.setPosixFilePermissions(key, java.nio.file.attribute.PosixFilePermissions.fromString("rw-------"));
    image = RunningImage.startIn(folder, Map.of(), "serve", "proxy", "-c", "config.yaml", "--insecure");
    image.await("Starting listening .*_service=proxy");
    for (int i = 0; i < STREAMS; i++) {
      clients.add(opened(i % 2 == 0 ? "alice" : "bob"));
    }
    for (Socket client : clients) {
      read(client, "data: first\n\n");
    }
    Await.pause(QUIET);
  }

  @AfterEach
  void stop() throws IOException {
    over.countDown();
    for (Socket client : clients) {
      client.close();
    }
    image.close();
    upstream.close();
    issuer.close();
  }

  private Socket opened(String subject) throws Exception {
    long now = System.currentTimeMillis() / 1000;
    String token = issuer.token("{\"iss\":\"https://idp.example\",\"sub\":\"%s\",\"iat\":%d,\"exp\":%d}"
        .formatted(subject, now, now + 600));
    Socket socket = new Socket("127.0.0.1", port);
    socket.setSoTimeout(30_000);
    socket.getOutputStream().write(("GET /events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + token
        + "\r\n\r\n").getBytes(ISO_8859_1));
    return socket;
  }

  private static void event(RawUpstream.Peer peer, String text) throws IOException {
    String data = "data: " + text + "\n\n";
    peer.say(Integer.toHexString(data.length()) + "\r\n" + data + "\r\n");
  }

  private static void read(Socket socket, String end) throws IOException {
    StringBuilder text = new StringBuilder();
    while (text.indexOf(end) < 0) {
      int c = socket.getInputStream().read();
      assertTrue(c >= 0, "the connection ends after " + text);
      text.append((char) c);
    }
  }

  private void say(String text) throws IOException {
    for (RawUpstream.Peer peer : peers) {
      event(peer, text);
    }
    for (Socket client : clients) {
      read(client, "data: " + text + "\n\n");
    }
  }

  private int active() throws Exception {
    String status = java.net.http.HttpClient.newHttpClient().send(HttpRequest
        .newBuilder(java.net.URI.create("http://127.0.0.1:" + management + "/status")).build(),
        java.net.http.HttpResponse.BodyHandlers.ofString()).body();
    Matcher events = Pattern.compile("\"events\":(\\d+)").matcher(status);
    assertTrue(events.find(), status);
    return Integer.parseInt(events.group(1));
  }

  private void awaitActive(int count) throws Exception {
    Await.until(() -> active() == count, () -> active() + " are active instead of " + count);
  }

  private long finished() {
    return image.output().lines().filter(line -> line.contains("TX finished") && line.contains("_http_path=/events")
        && line.contains("_http_status_code=200")).count();
  }

  private static boolean isBrokenOff(Socket socket) throws IOException {
    try {
      return !new String(socket.getInputStream().readAllBytes(), ISO_8859_1).endsWith("0\r\n\r\n");
    } catch (SocketException _) {
      return true;
    }
  }

  @Test
  void quietStreamsGoOnAndEndWhole() throws Exception {
    say("second");
    Await.pause(QUIET);
    say("third");
    for (RawUpstream.Peer peer : peers) {
      peer.say("0\r\n\r\n");
    }
    for (Socket client : clients) {
      read(client, "0\r\n\r\n");
    }
    awaitActive(0);
    Await.until(() -> finished() >= STREAMS, () -> finished() + " have finished");
    assertEquals(STREAMS, finished());
  }

  @Test
  void aLockEndsThoseOfItsSubjectAndLeavesTheOthers() throws Exception {
    try (RunningImage command = RunningImage.startIn(folder, "lock", "-c", "config.yaml", "--subject", "alice",
        "--reason", "test")) {
      assertEquals(0, command.exitStatus(), command.output());
    }
    for (int i = 0; i < STREAMS; i += 2) {
      assertTrue(isBrokenOff(clients.get(i)));
    }
    awaitActive(STREAMS / 2);
    for (int i = 1; i < STREAMS; i += 2) {
      clients.get(i).close();
    }
    awaitActive(0);
  }

  @Test
  void upstreamsThatLeaveEndTheirs() throws Exception {
    for (RawUpstream.Peer peer : peers) {
      peer.reset();
    }
    for (Socket client : clients) {
      assertTrue(isBrokenOff(client));
    }
    awaitActive(0);
  }

  @Test
  void aStopWaitsForThemAndThenEndsThem() throws Exception {
    image.signal("TERM");
    image.await("Tearing down service .*_service=proxy");
    say("during the shutdown");
    for (RawUpstream.Peer peer : peers) {
      peer.say("0\r\n\r\n");
    }
    for (Socket client : clients) {
      read(client, "0\r\n\r\n");
    }
    assertEquals(0, image.exitStatus(), image.output());
  }
}
