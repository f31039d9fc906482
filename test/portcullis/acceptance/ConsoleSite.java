package portcullis.acceptance;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import portcullis.fixture.FreePort;
import portcullis.fixture.RunningImage;

/** The built image with a console for {@code op}, its metrics, and rules of a shop. */
final class ConsoleSite implements AutoCloseable {
  static final String CREDENTIALS = "Basic "
      + Base64.getEncoder().encodeToString("op:secret".getBytes(StandardCharsets.UTF_8));

  private static final String CONFIG = """
      log: {level: info}
      tracing: {enabled: false}
      serve: {host: 127.0.0.1, port: %d}
      management:
        host: 127.0.0.1
        port: %d
        console: {enabled: true, execute: [{authenticator: staff}], coverage_file: coverage.json}
        locks: {key_file: lock.key}
      mechanisms:
        authenticators:
          - {id: anon, type: anonymous}
          - {id: none, type: unauthorized}
          - {id: staff, type: basic_auth, config: {user_id: op, password: secret}}
        authorizers:
          - id: admins
            type: cel
            config: {expressions: [{expression: 'Subject.ID == "root"', message: only root may do this}]}
      default_rule: {execute: [{authenticator: none}]}
      providers: {file_system: {src: rules.yaml}}
      """;
  private static final String RULES = """
      version: 1alpha4
      rules:
      - {id: "shop:open", match: {routes: [{path: /open/**}]}, execute: [{authenticator: anon}]}
      - id: "shop:admin"
        match: {routes: [{path: /admin/**}]}
        execute: [{authenticator: staff}, {authorizer: admins}]
      """;

  private final HttpClient client = HttpClient.newHttpClient();
  private final int port = FreePort.next();
  private final int management = FreePort.next();
  private final int metrics = FreePort.next();
  private final Path folder;
  private final RunningImage image;

  ConsoleSite(Path folder) throws IOException {
    this.folder = folder;
    Files.writeString(folder.resolve("config.yaml"), CONFIG.formatted(port, management));
    Files.writeString(folder.resolve("rules.yaml"), RULES);
    Files.writeString(folder.resolve("lock.key"), "0123456789abcdef".repeat(4));
    Files.writeString(folder.resolve("op.txt"), "Authorization: " + CREDENTIALS + "\n");
    image = RunningImage.startIn(folder, Map.of("OTEL_METRICS_EXPORTER", "prometheus", "OTEL_EXPORTER_PROMETHEUS_PORT",
        Integer.toString(metrics), "OTEL_EXPORTER_PROMETHEUS_HOST", "127.0.0.1"), "serve", "decision", "-c",
        "config.yaml", "--insecure");
    image.await("Portcullis started");
  }

  String console() {
    return "http://127.0.0.1:" + management + "/console/";
  }

  /** Requests a decision as {@code op} and returns its status. */
  int request(String path) throws IOException {
    return send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
        .header("Authorization", CREDENTIALS)).statusCode();
  }

  /** Requests something of the console with these fields besides the credentials. */
  HttpResponse<String> console(String path, String... fields) throws IOException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(console() + path))
        .header("Authorization", CREDENTIALS);
    return send(fields.length == 0 ? request : request.headers(fields));
  }

  HttpResponse<String> post(String path, String origin) throws IOException {
    return send(HttpRequest.newBuilder(URI.create(console() + path)).header("Authorization", CREDENTIALS)
        .header("Origin", origin).POST(HttpRequest.BodyPublishers.ofString("a=b")));
  }

  String metrics() throws IOException {
    return send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + metrics + "/metrics"))).body();
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /** Runs a command of the image with credentials and returns what it prints. */
  String command(String... words) throws IOException {
    List<String> line = new ArrayList<>(List.of(words));
    line.addAll(List.of("--credentials", folder.resolve("op.txt").toString()));
    return run(line);
  }

  /** Locks the subject {@code op}. */
  String lock() throws IOException {
    return run(List.of("lock", "--subject", "op", "--reason", "laptop stolen", "--key",
        folder.resolve("lock.key").toString()));
  }

  /** Runs the test cases of the folder. */
  String test() throws IOException {
    return run(List.of("test", folder.toString(), "--insecure", "--coverage", "--coverage-file",
        folder.resolve("coverage.json").toString()));
  }

  private String run(List<String> words) throws IOException {
    List<String> line = new ArrayList<>(List.of(RunningImage.PROGRAM.toAbsolutePath().toString()));
    line.addAll(words);
    line.addAll(List.of("-c", folder.resolve("config.yaml").toString()));
    Process process = new ProcessBuilder(line).directory(folder.toFile()).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    client.shutdownNow();
    image.close();
  }
}
