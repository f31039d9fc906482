package portcullis.acceptance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import portcullis.fixture.FreePort;
import portcullis.fixture.RawUpstream;
import portcullis.fixture.RunningImage;
import portcullis.fixture.TokenIssuer;

/** The built image between WebSockets, streams of events and an upstream, for users of an issuer. */
final class StreamSite implements AutoCloseable {
  private static final String CONFIG = """
      log: {level: info, format: text}
      tracing: {enabled: false}
      metrics: {enabled: %b}
      watch: true
      serve: {host: 127.0.0.1, port: %d, trusted_proxies: [127.0.0.1]%s}
      management: {host: 127.0.0.1, port: %d%s}
      mechanisms:
        authenticators:
          - id: token
            type: jwt
            config: {jwks_endpoint: {url: "%s"}, assertions: {issuers: [https://idp.example]}}
          - {id: anybody, type: anonymous}
        authorizers: [{id: closed, type: deny}]
      providers: {file_system: {src: rules, watch: true}}
      """;

  private final TokenIssuer issuer = new TokenIssuer();
  private final HttpClient client = HttpClient.newHttpClient();
  /** What the upstream received in the end of each connection. */
  private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
  private final RawUpstream upstream = RawUpstream.of(this::serve);
  private final Path folder;
  private final int port = FreePort.next();
  private final int management = FreePort.next();
  private final int metrics;
  private RunningImage image;

  /** @param more keys of {@code serve} @param managed keys of {@code management} @param rest more sections */
  StreamSite(Path folder, String more, String managed, String rest) throws IOException {
    this(folder, more, managed, rest, 0);
  }

  /** Makes one whose metrics are at that port, if it is not 0. */
  StreamSite(Path folder, String more, String managed, String rest, int metrics) throws IOException {
    this.folder = folder;
    this.metrics = metrics;
    Files.createDirectory(folder.resolve("rules"));
    Files.writeString(folder.resolve("config.yaml"),
        CONFIG.formatted(metrics != 0, port, more.replace("JWKS", issuer.jwksUrl()), management, managed,
            issuer.jwksUrl())
            + rest.replace("JWKS", issuer.jwksUrl()));
    rule("");
    image = start();
  }

  private RunningImage start() {
    Map<String, String> exporter = Map.of("OTEL_METRICS_EXPORTER", "prometheus", "OTEL_EXPORTER_PROMETHEUS_PORT",
        Integer.toString(metrics));
    RunningImage started = RunningImage.startIn(folder, metrics == 0 ? Map.of() : exporter, "serve", "proxy", "-c",
        "config.yaml", "--insecure");
    started.await("Starting listening .*_service=proxy");
    return started;
  }

  /** Starts it again, as after a failure of the host. */
  void restart() {
    image.close();
    image = start();
  }

  /** Runs a command of the image to its end, and returns all of its output. */
  String run(String... words) {
    try (RunningImage command = RunningImage.startIn(folder, words)) {
      return command.exitStatus() + " " + command.output();
    }
  }

  /** Posts to the service, and returns the status and the body. */
  String post(String path, String type, String body) throws Exception {
    HttpResponse<String> response = client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
        .header("Content-Type", type).POST(HttpRequest.BodyPublishers.ofString(body)).build(),
        HttpResponse.BodyHandlers.ofString());
    return response.statusCode() + " " + response.body();
  }

  /** Writes the rule with these further steps, and one that lets everybody see {@code /public}. */
  void rule(String steps) throws IOException {
    Path aside = Files.writeString(folder.resolve("aside"), """
        version: 1alpha4
        rules:
        - id: r
          match: {routes: [{path: "/**"}]}
          forward_to: {host: "%s", rewrite: {scheme: http}}
          execute: [{authenticator: token}%s]
        - id: p
          match: {routes: [{path: /public}]}
          forward_to: {host: "%s", rewrite: {scheme: http}}
          execute: [{authenticator: anybody}]
        """.formatted(upstream.host(), steps, upstream.host()));
    Files.move(aside, folder.resolve("rules/r.yaml"), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }

  /** Replaces the rule by one for calls of gRPC at this server, and waits until it is in force. */
  void calls(int server) throws IOException {
    Path aside = Files.writeString(folder.resolve("aside"), """
        version: 1alpha4
        rules:
        - id: calls
          match: {routes: [{path: "/open.Echo/:method"}]}
          forward_to: {host: "127.0.0.1:%d", rewrite: {scheme: h2c}}
          execute: [{authenticator: token}]
        """.formatted(server));
    Files.move(aside, folder.resolve("rules/r.yaml"), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    image.await("Update of a rule set received");
  }

  private void serve(RawUpstream.Peer peer) throws IOException {
    String head = peer.head();
    Matcher key = Pattern.compile("(?i)Sec-WebSocket-Key: (\\S+)").matcher(head);
    if (key.find()) {
      peer.say("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
          + accept(key.group(1)) + "\r\n\r\n");
    } else if (!head.startsWith("GET /silent ")) {
      peer.say("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "9\r\ndata: 1\n\n\r\n");
    }
    received.add(new String(peer.input().readAllBytes(), ISO_8859_1));
  }

  private static String accept(String key) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-1")
          .digest((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(ISO_8859_1));
      return Base64.getEncoder().encodeToString(hash);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns a token of a user in a session, for that many seconds. */
  String token(String subject, String session, int seconds) throws GeneralSecurityException {
    long now = Instant.now().getEpochSecond();
    return issuer.token("""
        {"iss":"https://idp.example","sub":"%s","sid":"%s","jti":"t-%s","iat":%d,"exp":%d}"""
        .formatted(subject, session, subject, now, now + seconds));
  }

  TokenIssuer issuer() {
    return issuer;
  }

  RunningImage image() {
    return image;
  }

  int port() {
    return port;
  }

  int management() {
    return management;
  }

  Path folder() {
    return folder;
  }

  /** How a WebSocket was closed. */
  record Closed(int status, String reason, Instant at) {}

  /** Opens a WebSocket, and returns what will have closed it. */
  BlockingQueue<Closed> open(String token) throws Exception {
    BlockingQueue<Closed> closed = new LinkedBlockingQueue<>();
    client.newWebSocketBuilder().header("Authorization", "Bearer " + token)
        .buildAsync(URI.create("ws://127.0.0.1:" + port + "/socket"), new WebSocket.Listener() {
          @Override
          public CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
            closed.add(new Closed(status, reason, Instant.now()));
            return CompletableFuture.completedStage(null);
          }
        }).get(20, TimeUnit.SECONDS);
    return closed;
  }

  /** Returns what the upstream received in the end of the next connection that ends. */
  String received() throws InterruptedException {
    return String.valueOf(received.poll(20, TimeUnit.SECONDS));
  }

  /** Opens a stream of events, and returns its connection once the first event has arrived. */
  Socket events(String token) throws IOException {
    Socket socket = new Socket("127.0.0.1", port);
    socket.setSoTimeout(20_000);
    socket.getOutputStream().write(("GET /events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + token
        + "\r\n\r\n").getBytes(ISO_8859_1));
    StringBuilder received = new StringBuilder();
    while (received.indexOf("data: 1\n\n") < 0) {
      int octet = socket.getInputStream().read();
      if (octet < 0) {
        socket.close();
        throw new IOException("no event arrived: " + received);
      }
      received.append((char) octet);
    }
    return socket;
  }

  /** Sends a request that the upstream does not answer. */
  Socket silent(String token) throws IOException {
    Socket socket = new Socket("127.0.0.1", port);
    socket.setSoTimeout(20_000);
    socket.getOutputStream()
        .write(("GET /silent HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + token + "\r\n\r\n").getBytes(ISO_8859_1));
    return socket;
  }

  /** Returns the status of a request. */
  int status(String token) throws IOException {
    return status(token, "192.0.2.1");
  }

  /** Returns the status of a request that a proxy received from this client. */
  int status(String token, String client) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(("GET /events HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: " + client
          + "\r\nAuthorization: Bearer " + token + "\r\n\r\n").getBytes(ISO_8859_1));
      return status(socket);
    }
  }

  /** Returns the status of the response, which there always is, also where a lock comes between. */
  static int status(Socket socket) throws IOException {
    String head = new String(socket.getInputStream().readNBytes(12), ISO_8859_1);
    assertEquals(12, head.length(), "the connection ended without a response");
    return Integer.parseInt(head.substring(9));
  }

  /** Returns the status of a request without credentials. */
  int page(String path) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n").getBytes(ISO_8859_1));
      return status(socket);
    }
  }

  /** Sends a request to the management service. */
  HttpResponse<String> managed(HttpRequest.Builder request, String path) throws Exception {
    return sent(request, management, path);
  }

  /** Returns the metrics as Prometheus reads them. */
  String metrics() throws Exception {
    return sent(HttpRequest.newBuilder(), metrics, "/metrics").body();
  }

  private HttpResponse<String> sent(HttpRequest.Builder request, int to, String path) throws Exception {
    return client.send(request.uri(URI.create("http://127.0.0.1:" + to + path)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() {
    image.close();
    client.close();
    upstream.close();
    issuer.close();
  }
}
