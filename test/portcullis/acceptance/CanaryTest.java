package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.RunningImage;

/** A secret that is sent in every way to every kind of rule stands in no log and in no answer of ours. */
class CanaryTest {
  private static final String CANARY = "c4narY-s3cret-7f19";
  private static final String TOKEN = base64("{\"alg\":\"ES256\",\"kid\":\"k\"}") + "." + base64("{\"sub\":\"" + CANARY + "\"}")
      + "." + base64(CANARY);
  private static final String CONFIG = """
      log: {level: %s, format: %s}
      tracing: {enabled: false}
      metrics: {enabled: false}
      serve: {host: 127.0.0.1, port: %d, respond: {verbose: true}}
      management: {host: 127.0.0.1, port: %d}
      mechanisms:
        authenticators:
          - {id: anon, type: anonymous}
          - {id: basic, type: basic_auth, config: {user_id: u, password: "%s"}}
          - {id: jwt, type: jwt, config: {jwks_endpoint: {url: "http://127.0.0.1:%d/jwks"}, assertions: {issuers: [i]}}}
          - id: opaque
            type: oauth2_introspection
            config:
              introspection_endpoint: {url: "http://127.0.0.1:%d/broken"}
              assertions: {issuers: [i]}
              subject: {id: sub}
          - id: session
            type: generic
            config:
              identity_info_endpoint: {url: "http://127.0.0.1:%d/broken", method: GET}
              authentication_data_source: [{cookie: session}]
              forward_cookies: [session]
              subject: {id: id}
        authorizers:
          - {id: never, type: cel, config: {expressions: [{expression: "Request.Header('Authorization') == 'x'"}]}}
          - id: ask
            type: remote
            config:
              endpoint: {url: "http://127.0.0.1:%d/broken", auth: {type: api_key, config: {in: header, name: X-Key, value: %s}}}
              payload: "{{ .Request.Header \\"Authorization\\" }}"
        finalizers:
          - {id: noop, type: noop}
          - {id: pass, type: header, config: {headers: {X-Secret: "{{ .Request.Header \\"Authorization\\" }}"}}}
      providers: {file_system: {src: rules.yaml}}
      """;

  @TempDir
  private Path folder;
  private HttpServer stub;

  private static String base64(String text) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @BeforeEach
  void start() throws IOException {
    stub = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    stub.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    stub.createContext("/", GuardedSite::hello);
    stub.createContext("/jwks", exchange -> answer(exchange, 200, "{\"keys\":[]}"));
    stub.createContext("/broken", exchange -> answer(exchange, 500, "no, not with that"));
    stub.start();
  }

  @AfterEach
  void stop() {
    stub.stop(0);
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    exchange.sendResponseHeaders(status, text.length());
    exchange.getResponseBody().write(text.getBytes(StandardCharsets.US_ASCII));
    exchange.close();
  }

  private String rule(String id, String execute, int port) {
    return "  - {id: " + id + ", match: {routes: [{path: /" + id + "}]}, forward_to: {host: \"127.0.0.1:" + port
        + "\", rewrite: {scheme: http}}, execute: [" + execute + "]}\n";
  }

  private void write(String level, String format, int port) throws IOException {
    int at = stub.getAddress().getPort();
    Files.writeString(folder.resolve("config.yaml"), CONFIG.formatted(level, format, port, GuardedSite.freePort(), CANARY, at, at,
        at, at, CANARY));
    Files.writeString(folder.resolve("rules.yaml"), "version: 1alpha4\nrules:\n"
        + rule("open", "{authenticator: anon}, {finalizer: pass}", at)
        + rule("basic", "{authenticator: basic}", at)
        + rule("jwt", "{authenticator: jwt}", at)
        + rule("opaque", "{authenticator: opaque}", at)
        + rule("session", "{authenticator: session}", at)
        + rule("never", "{authenticator: anon}, {authorizer: never}", at)
        + rule("ask", "{authenticator: anon}, {authorizer: ask}", at)
        + rule("down", "{authenticator: anon}, {finalizer: pass}", GuardedSite.freePort()));
  }

  private static String exchange(int port, String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  @ParameterizedTest
  @CsvSource({"debug, text", "info, gelf"})
  void s30ASecretStandsNowhere(String level, String format) throws Exception {
    int port = GuardedSite.freePort();
    write(level, format, port);
    Set<String> statuses = new TreeSet<>();
    try (RunningImage image = RunningImage.startIn(folder, "serve", "proxy", "-c", "config.yaml", "--insecure")) {
      image.await("Starting listening .*service.*proxy|Starting listening.*\"proxy\"");
      for (String path : List.of("open", "basic", "jwt", "opaque", "session", "never", "ask", "down", "unknown")) {
        for (String secret : secrets()) {
          String answer = exchange(port, "POST /" + path + "?access_token=" + CANARY + " HTTP/1.1\r\nHost: a.test\r\n"
              + "Connection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: "
              + (13 + CANARY.length()) + "\r\n" + secret + "\r\naccess_token=" + CANARY);
          assertFalse(answer.contains(CANARY) || answer.contains(base64(CANARY)), path + ": " + answer);
          statuses.add(answer.substring(9, 12));
        }
      }
      for (String broken : List.of("GET /open HTTP/1.1\r\nAuthorization: Bearer " + CANARY + "\r\n\r\n",
          "GET /open?t=" + CANARY + " HTTP/1.1\r\nHost: a b\r\nCookie: session=" + CANARY + "\r\n\r\n",
          "GET /open HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + CANARY + "\0\r\n\r\n",
          "GET /open HTTP/1.1\r\nHost: a\r\nContent-Length: " + CANARY + "\r\nAuthorization: Bearer " + CANARY + "\r\n\r\n")) {
        String answer = exchange(port, broken);
        assertTrue(answer.startsWith("HTTP/1.1 400"), answer);
        assertFalse(answer.contains(CANARY), answer);
      }
      image.stop();
      assertTrue(statuses.containsAll(Set.of("200", "401", "403", "404", "502")), statuses.toString());
      for (String line : image.output().lines().toList()) {
        boolean told = line.contains(CANARY) || line.contains(base64(CANARY)) || line.contains(TOKEN);
        assertFalse(told, line);
      }
    }
  }

  private static List<String> secrets() {
    return List.of("Authorization: Bearer " + CANARY + "\r\n", "Authorization: Bearer " + TOKEN + "\r\n",
        "Authorization: Basic " + Base64.getEncoder().encodeToString(("u:" + CANARY).getBytes(StandardCharsets.UTF_8)) + "\r\n",
        "Authorization: Basic " + CANARY + "\r\n", "Authorization: " + CANARY + "\r\n",
        "Cookie: session=" + CANARY + "; other=" + CANARY + "\r\n", "X-Api-Key: " + CANARY + "\r\nCookie: " + CANARY + "\r\n");
  }
}
