package portcullis.acceptance;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import portcullis.fixture.Await;
import portcullis.fixture.FreePort;
import portcullis.fixture.RunningImage;

/** The built image in front of an upstream, with a configuration and one rule file of its own. */
final class GuardedSite implements AutoCloseable {
  private static final String CONFIG = """
      log: {level: info, format: text}
      tracing: {enabled: false}
      metrics: {enabled: false}
      serve: {host: 127.0.0.1, port: %d%s}
      management: {host: 127.0.0.1, port: %d}
      mechanisms:
        authenticators: [{id: anon, type: anonymous}, {id: none, type: unauthorized}]
        finalizers: [{id: noop, type: noop}, {id: user, type: header, config: {headers: {X-User: "{{ .Subject.ID }}"}}}]
      default_rule: {execute: [{authenticator: none}, {finalizer: noop}]}
      providers: {file_system: {src: rules, watch: true}}
      """;

  private final HttpServer upstream;
  private final HttpClient client = HttpClient.newHttpClient();
  private final Path folder;
  private final int port;
  private final RunningImage image;

  private GuardedSite(Path folder, HttpHandler handler, String more, Map<String, String> variables) throws IOException {
    this.folder = folder;
    upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    upstream.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    upstream.createContext("/", handler);
    upstream.start();
    port = FreePort.next();
    Files.createDirectory(folder.resolve("rules"));
    Files.writeString(folder.resolve("config.yaml"), CONFIG.formatted(port, more, FreePort.next()));
    rules(rule("r", "/open/**"));
    image = RunningImage.startIn(folder, variables, "serve", "proxy", "-c", "config.yaml", "--insecure");
    image.await("Starting listening .*_service=proxy");
  }

  static GuardedSite start(Path folder, HttpHandler handler) throws IOException {
    return start(folder, handler, "");
  }

  /** @param more keys of {@code serve}, as {@code , timeout: {read: 1s}} */
  static GuardedSite start(Path folder, HttpHandler handler, String more) throws IOException {
    return new GuardedSite(folder, handler, more, Map.of());
  }

  /** One with a heap of 128 MB, whose upstream may be slow: its machine is busy. */
  static GuardedSite startSmall(Path folder, HttpHandler handler) throws IOException {
    return new GuardedSite(folder, handler, ", timeout: {read: 60s, write: 60s}",
        Map.of("PORTCULLIS_JAVA_OPTIONS", "-Xmx128m"));
  }

  static void hello(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 5);
    exchange.getResponseBody().write("hello".getBytes());
    exchange.close();
  }

  /** A rule that lets anybody see that path. */
  String rule(String id, String path) {
    return rule(id, path, "noop");
  }

  /** The same with another finalizer: {@code user} sets {@code X-User}. */
  String rule(String id, String path, String finalizer) {
    return """
        - id: %s
          match: {routes: [{path: "%s"}]}
          forward_to: {host: "127.0.0.1:%d", rewrite: {scheme: http}}
          execute: [{authenticator: anon}, {finalizer: %s}]
        """.formatted(id, path, upstream.getAddress().getPort(), finalizer);
  }

  /** Puts these rules in place by renaming. */
  void rules(String rules) throws IOException {
    Path aside = Files.writeString(folder.resolve("aside"), "version: 1alpha4\nrules:\n" + rules);
    Files.move(aside, folder.resolve("rules/r.yaml"), StandardCopyOption.ATOMIC_MOVE);
  }

  Path rulesFile() {
    return folder.resolve("rules/r.yaml");
  }

  RunningImage image() {
    return image;
  }

  int port() {
    return port;
  }

  /** The status of a GET. */
  int status(String path) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
        .timeout(Duration.ofSeconds(20)).build();
    return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  /** What comes back for these bytes until the connection ends. */
  String exchange(String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  /** The body that answers a GET. */
  String body(String path) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
        .timeout(Duration.ofSeconds(20)).build();
    return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  /** Waits until a GET has that status. */
  void awaitStatus(String path, int status) throws IOException, InterruptedException {
    Await.until(() -> status(path) == status, () -> path + " never became " + status + ":\n" + image.output());
  }

  @Override
  public void close() {
    image.close();
    client.close();
    upstream.stop(0);
  }
}
