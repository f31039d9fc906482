package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.FreePort;
import portcullis.fixture.RunningImage;

/** The decision log of a running service, and what {@code portcullis replay} makes of it. */
class DecisionLogTest {
  private static final String CANARY = "c4narY-s3cret-7f19";
  private static final int ROUNDS = 1_250;
  private static final String CONFIG = """
      log: {level: error}
      serve: {host: 127.0.0.1, port: %d}
      management: {host: 127.0.0.1, port: %d}
      tracing: {enabled: false}
      metrics: {enabled: false}
      decision_log:
        file: {path: "%s", max_size: %s}
        hash_key: "%s"
        seal_key: "%s"
      mechanisms:
        authenticators:
          - {id: anon, type: anonymous}
          - {id: basic, type: basic_auth, config: {user_id: ann, password: "%s"}}
        authorizers:
          - {id: may, type: allow}
          - {id: never, type: deny}
          - {id: small, type: cel, config: {expressions: [{expression: "Request.Body().n == '1'"}]}}
          - id: ask
            type: remote
            config:
              endpoint: {url: "http://127.0.0.1:%d/ask"}
              payload: "{{ .Request.URL.Path }} {{ .Request.Header \\"Cookie\\" }}"
              expressions: [{expression: "Payload.ok == true"}]
              cache_ttl: %s
      providers: {file_system: {src: "%s"}}
      """;

  @TempDir
  private Path folder;
  private HttpServer stub;

  @BeforeEach
  void start() throws IOException {
    stub = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    stub.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    stub.createContext("/ask", DecisionLogTest::ask);
    stub.start();
  }

  @AfterEach
  void stop() {
    stub.stop(0);
  }

  private static void ask(HttpExchange exchange) throws IOException {
    String question = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    byte[] answer = ("{\"ok\":" + question.startsWith("/ask/yes") + ",\"token\":\"" + CANARY + "\"}")
        .getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, answer.length);
    exchange.getResponseBody().write(answer);
    exchange.close();
  }

  private static String rule(String id, String steps) {
    return "  - {id: " + id + ", match: {routes: [{path: \"/" + id + "/**\"}]}, execute: [" + steps + "]}\n";
  }

  private Path rules(String name, String flipped) throws IOException {
    Path rules = Files.createDirectories(folder.resolve(name));
    Files.writeString(rules.resolve("rules.yaml"), "version: 1alpha4\nrules:\n"
        + rule("open", "{authenticator: anon}, {authorizer: may}")
        + rule("shut", "{authenticator: anon}, {authorizer: " + flipped + "}")
        + rule("basic", "{authenticator: basic}")
        + rule("ask", "{authenticator: anon}, {authorizer: ask}")
        + rule("form", "{authenticator: anon}, {authorizer: small}"));
    return rules;
  }

  private int configure(String maxSize, String ttl) throws IOException {
    int port = FreePort.next();
    Files.writeString(folder.resolve("config.yaml"), CONFIG.formatted(port, FreePort.next(),
        folder.resolve("decisions.log"), maxSize, Files.writeString(folder.resolve("hash"), "0a".repeat(32)),
        Files.writeString(folder.resolve("seal"), "0b".repeat(32)), CANARY, stub.getAddress().getPort(), ttl,
        rules("rules", "never")));
    return port;
  }

  private static String get(String path, String fields) {
    return "GET " + path + " HTTP/1.1\r\nHost: app.test\r\n" + fields + "\r\n";
  }

  private static String post(String path, String body) {
    return "POST " + path + " HTTP/1.1\r\nHost: app.test\r\nContent-Type: application/json\r\nContent-Length: "
        + body.length() + "\r\n\r\n" + body;
  }

  /** Sends requests over one connection and reads the responses, which have no bodies of interest. */
  private static void send(int port, List<String> requests) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(20_000);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      for (String request : requests) {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        int length = 0;
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
          length = line.toLowerCase(Locale.ROOT).startsWith("content-length:")
              ? Integer.parseInt(line.substring(15).strip())
              : length;
        }
        in.readNBytes(length);
      }
    }
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder out = new StringBuilder();
    for (int octet = in.read(); octet >= 0 && octet != '\n'; octet = in.read()) {
      out.append((char) octet);
    }
    return out.toString().strip();
  }

  private static List<String> requests(int round) {
    String cookie = "Cookie: session=" + CANARY + "\r\n";
    return List.of(get("/open/" + round + "?token=" + CANARY, cookie), get("/shut/" + round, cookie),
        get("/basic/" + round, "Authorization: Basic YW5uOmM0bmFyWS1zM2NyZXQtN2YxOQ==\r\n"),
        get("/basic/" + round, "Authorization: Bearer " + CANARY + "\r\n"),
        get("/ask/yes/" + round % 50, cookie), get("/ask/no/" + round % 50, cookie),
        post("/form/" + round, "{\"n\":\"" + round % 2 + "\",\"password\":\"" + CANARY + "\"}"),
        get("/unknown/" + round, ""));
  }

  private void run(int port, int rounds) throws IOException {
    try (RunningImage image = RunningImage.startIn(folder, "serve", "decision", "-c", "config.yaml", "--insecure")) {
      image.await("Portcullis started");
      List<String> all = new ArrayList<>();
      for (int i = 0; i < rounds; i++) {
        all.addAll(requests(i));
      }
      send(port, all);
      image.stop();
    }
  }

  private Release.Outcome replay(String... more) throws IOException {
    List<String> words = new ArrayList<>(List.of(RunningImage.PROGRAM.toString(), "replay", "--insecure", "-c",
        folder.resolve("config.yaml").toString()));
    words.addAll(List.of(more));
    return Release.run(Map.of(), words.toArray(String[]::new));
  }

  @Test
  void replayFindsWhatNewRulesChange() throws IOException {
    run(configure("1GB", "5m"), ROUNDS);
    String log = folder.resolve("decisions.log").toString();
    List<String> lines = Files.readAllLines(Path.of(log));
    assertEquals(8 * ROUNDS, lines.size());
    lines.forEach(line -> assertFalse(line.contains(CANARY) || line.contains("YW5uOmM0"), line));
    assertTrue(lines.getFirst().contains("rules.yaml:3\",\"sha256\":\""), lines.getFirst());

    String rules = folder.resolve("rules").toString();
    String key = folder.resolve("seal").toString();
    Release.Outcome same = replay("--rules", rules, "--key", key, log).assertStatus(0);
    String all = 8 * ROUNDS + " requests: 0 newly allowed, 0 newly denied, 0 denied otherwise, 0 undecided, " + 8
        * ROUNDS + " unchanged\n";
    assertEquals(all, same.output());
    assertEquals("what was sealed is not known of " + 8 * ROUNDS + " requests: changes of variables, of files that "
        + "authenticators name, and of `serve.trusted_proxies` do not count\n" + all,
        replay(log).assertStatus(0).output(), "same rules need no key");

    Release.Outcome flipped = replay("--rules", rules("flipped", "may").toString(), "--key", key, log).assertStatus(1);
    assertTrue(
        flipped.output().startsWith("newly allowed: " + ROUNDS + " requests\n  before   denied by step `never` of "
            + "rule `shut` ("),
        flipped.output());
    assertTrue(flipped.output().contains(": " + ROUNDS + " newly allowed, 0 newly denied, 0 denied otherwise, 0 "
        + "undecided, " + 7 * ROUNDS + " unchanged\n"), flipped.output());
    assertFalse(flipped.output().contains(CANARY), flipped.output());

    decidesSealedRequests(log, key);
  }

  /** Another configuration has other mechanisms, so that every step runs again, with the responses of then. */
  private void decidesSealedRequests(String log, String key) throws IOException {
    Path config = folder.resolve("config.yaml");
    Files.writeString(config, Files.readString(config) + "# a comment\n");
    assertTrue(replay("--key", key, log).assertStatus(0).output().endsWith(" 0 undecided, " + 8 * ROUNDS
        + " unchanged\n"));
    Files.writeString(config, Files.readString(config).replace("n == '1'", "n == '0'"));
    stub.stop(0);
    Release.Outcome changed = replay("--rules", folder.resolve("rules").toString(), "--key", key, log).assertStatus(1);
    assertTrue(changed.output().contains(": " + ROUNDS / 2 + " newly allowed, " + ROUNDS / 2
        + " newly denied, 0 denied otherwise, 0 undecided, " + 7 * ROUNDS + " unchanged\n"), changed.output());
    Release.Outcome closed = replay("--rules", folder.resolve("rules").toString(), log).assertStatus(0);
    assertTrue(closed.output().contains("by `--key`"), closed.output());
    assertTrue(replay("-o", "json", "--key", key, log).output().startsWith("{\"changes\":[{\"before\":\""));
    replay("--key", folder.resolve("none").toString(), log).assertStatus(2);
  }

  @Test
  void fileIsRotatedAndNothingIsLost() throws IOException {
    run(configure("64KB", "0s"), 100);
    long lines = 0;
    int files = 0;
    try (var all = Files.list(folder)) {
      for (Path file : all.filter(f -> f.getFileName().toString().startsWith("decisions.log")).toList()) {
        lines += Files.readAllLines(file).size();
        files++;
      }
    }
    assertEquals(800, lines);
    assertTrue(files > 2, "files: " + files);
  }
}
