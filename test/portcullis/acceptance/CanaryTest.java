package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.Await;
import portcullis.fixture.Ed25519Files;
import portcullis.fixture.FreePort;
import portcullis.fixture.RunningImage;

/**
 * A secret that is sent in every way to every kind of rule stands in no log, answer, trace, metric or profile of ours.
 */
class CanaryTest {
  private static final String CANARY = "c4narY-s3cret-7f19";
  private static final String TOKEN = base64("{\"alg\":\"ES256\",\"kid\":\"k\"}") + "."
      + base64("{\"sub\":\"" + CANARY + "\"}")
      + "." + base64(CANARY);
  private static final String CONFIG = """
      log: {level: %s, format: %s}
      profiling: {enabled: true, port: %d}
      serve: {host: 127.0.0.1, port: %d, respond: {verbose: true}}
      management:
        {host: 127.0.0.1, port: %d, console: {enabled: true, execute: [{authenticator: basic}]}}
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
              endpoint: {url: "http://127.0.0.1:%d/broken", auth: {type: api_key, config: {in: header, name: X-Key, \
      value: %s}}}
              payload: "{{ .Request.Header \\"Authorization\\" }}"
        finalizers:
          - {id: noop, type: noop}
          - {id: pass, type: header, config: {headers: {X-Secret: "{{ .Request.Header \\"Authorization\\" }}"}}}
      providers: {file_system: {src: rules.yaml, shadow: shadow.yaml}}
      decision_log:
        file: {path: decisions.log}
        syslog: {url: "tcp://127.0.0.1:%d"}
        otlp: true
        hash_key: hash
        seal_key: seal
        headers: [Authorization, Cookie, X-Api-Key, User-Agent]
        audit: {key: audit.pem, anchor: {file: anchor.log, syslog: {url: "tcp://127.0.0.1:%d"}, otlp: true}}
      """;

  private static final String BASIC = Base64.getEncoder()
      .encodeToString(("u:" + CANARY).getBytes(StandardCharsets.UTF_8));

  @TempDir
  private Path folder;
  private final Queue<String> exported = new ConcurrentLinkedQueue<>();
  private HttpServer stub;
  private ServerSocket syslog;
  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

  private static String base64(String text) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A character for each byte. */
  private static String text(InputStream in) throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  @BeforeEach
  void start() throws IOException {
    syslog = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    for (int i = 0; i < 2; i++) { // the log and its anchor
      Thread.ofVirtual().start(this::receive);
    }
    stub = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    stub.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    stub.createContext("/", GuardedSite::hello);
    stub.createContext("/v1/", exchange -> {
      exported.add(exchange.getRequestURI().getPath() + " " + text(exchange.getRequestBody()));
      answer(exchange, 200, "");
    });
    stub.createContext("/jwks", exchange -> answer(exchange, 200, "{\"keys\":[]}"));
    stub.createContext("/broken", exchange -> answer(exchange, 500, "no, not with that"));
    stub.start();
  }

  private void receive() {
    try (Socket peer = syslog.accept()) {
      byte[] part = new byte[1 << 16];
      for (int count = peer.getInputStream().read(part); count > 0; count = peer.getInputStream().read(part)) {
        synchronized (sent) {
          sent.write(part, 0, count);
        }
      }
    } catch (IOException _) {
      // the test has ended
    }
  }

  @AfterEach
  void stop() throws IOException {
    syslog.close();
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

  private void write(String level, String format, Ports ports) throws Exception {
    int at = stub.getAddress().getPort();
    Files.writeString(folder.resolve("config.yaml"),
        CONFIG.formatted(level, format, ports.profiling, ports.proxy, ports.management,
            CANARY, at, at, at, at, CANARY, syslog.getLocalPort(), syslog.getLocalPort()));
    Files.writeString(folder.resolve("hash"), "0a".repeat(32));
    Files.writeString(folder.resolve("seal"), "0b".repeat(32));
    Ed25519Files.write(folder, "audit");
    Files.writeString(folder.resolve("rules.yaml"), "version: 1alpha4\nrules:\n"
        + rule("open", "{authenticator: anon}, {finalizer: pass}", at)
        + rule("basic", "{authenticator: basic}", at)
        + rule("jwt", "{authenticator: jwt}", at)
        + rule("opaque", "{authenticator: opaque}", at)
        + rule("session", "{authenticator: session}", at)
        + rule("never", "{authenticator: anon}, {authorizer: never}", at)
        + rule("ask", "{authenticator: anon}, {authorizer: ask}", at)
        + rule("down", "{authenticator: anon}, {finalizer: pass}", FreePort.next()));
    Files.writeString(folder.resolve("shadow.yaml"), Files.readString(folder.resolve("rules.yaml"))
        .replace("{authenticator: anon}, {finalizer: pass}",
            "{authenticator: anon}, {authorizer: ask}, {finalizer: pass}")
        .replace("{authorizer: never}", "{finalizer: pass}"));
  }

  private static String exchange(int port, String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return text(socket.getInputStream());
    }
  }

  private record Ports(int proxy, int management, int profiling, int metrics) {
    static Ports free() throws IOException {
      return new Ports(FreePort.next(), FreePort.next(), FreePort.next(), FreePort.next());
    }
  }

  private Map<String, String> variables(String exporter, Ports ports) {
    return Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:" + stub.getAddress().getPort(),
        "OTEL_METRICS_EXPORTER", exporter, "OTEL_EXPORTER_PROMETHEUS_PORT", Integer.toString(ports.metrics));
  }

  @ParameterizedTest
  @CsvSource({"debug, text, prometheus", "info, gelf, otlp"})
  void secretsAppearNowhere(String level, String format, String exporter) throws Exception {
    Ports ports = Ports.free();
    write(level, format, ports);
    try (RunningImage image = RunningImage.startIn(folder, variables(exporter, ports), "serve", "proxy", "-c",
        "config.yaml", "--insecure")) {
      image.await("Portcullis started");
      Future<String> now = live(ports.management, "now");
      Future<String> refusals = live(ports.management, "refusals");
      assertTrue(askEverywhere(ports.proxy).containsAll(Set.of("200", "401", "403", "404", "502")));
      askBadly(ports.proxy);
      tellsNothing(get(ports.management, "/status"), "HTTP/1.1 200");
      tellsNothing(get(ports.management, "/status"), "\"shadow\":");
      for (String page : List.of("now", "now/data", "refusals", "rules", "services", "changes", "fleet", "try")) {
        tellsNothing(get(ports.management, "/console/" + page), "HTTP/1.1 200");
      }
      for (String kind : List.of("allocs", "block", "goroutine", "heap", "mutex", "threadcreate")) {
        tellsNothing(get(ports.profiling, "/debug/pprof/" + kind + "?debug=1"), kind + " profile: total");
      }
      tellsNothing(get(ports.profiling, "/debug/pprof/cmdline"), "config.yaml");
      tellsNothing(get(ports.profiling, "/debug/pprof/trace?seconds=1"), "FLR");
      if (exporter.equals("prometheus")) {
        tellsNothing(get(ports.metrics, "/metrics"), "http_server_request_duration_seconds_count");
      }
      Await.until(() -> Files.readString(folder.resolve("decisions.log"))
          .contains("\"shadow\":"));
      image.stop();
      tellsNothing(now.get(), "data: ");
      tellsNothing(refusals.get(), "data: ");
      image.output().lines().forEach(line -> tellsNothing(line, ""));
    }
    exported.forEach(text -> tellsNothing(text, "/v1/"));
    writersTellNothing();
    assertTrue(exported.stream().anyMatch(text -> text.startsWith("/v1/traces ") && text.contains("http.route")),
        "no trace has come");
    assertEquals(exporter.equals("otlp"),
        exported.stream().anyMatch(text -> text.contains("http.server.request.duration")));
  }

  /** The files of the decision log and its anchor, syslog, OTLP, and what is made of them. */
  private void writersTellNothing() throws IOException {
    tellsNothing(Files.readString(folder.resolve("decisions.log")), "\"event\":\"start\"");
    tellsNothing(Files.readString(folder.resolve("decisions.log")), "\"decision\":\"allowed\"");
    tellsNothing(Files.readString(folder.resolve("decisions.log")), "\"shadow\":");
    tellsNothing(Files.readString(folder.resolve("decisions.log")), "\"sealed\":");
    tellsNothing(Files.readString(folder.resolve("anchor.log")), "\"event\":\"checkpoint\"");
    synchronized (sent) {
      tellsNothing(sent.toString(StandardCharsets.ISO_8859_1), " decision - {\"time\"");
      tellsNothing(sent.toString(StandardCharsets.ISO_8859_1), " audit - {");
    }
    assertTrue(exported.stream().anyMatch(text -> text.startsWith("/v1/logs ") && text.contains("\"decision\":")),
        "no record has come");
    assertTrue(exported.stream().anyMatch(text -> text.startsWith("/v1/logs ") && text.contains("checkpoint")),
        "no checkpoint has come");
    String program = RunningImage.PROGRAM.toString();
    String log = folder.resolve("decisions.log").toString();
    Path bundle = folder.resolve("rules.bundle");
    tellsNothing(Release.run(Map.of(), program, "bundle", "sign", "--key", folder.resolve("audit.pem").toString(),
        "--counter", "1", "--not-after", "2999-01-01T00:00:00Z", "--out", bundle.toString(),
        folder.resolve("shadow.yaml").toString()).assertStatus(0).output(), "");
    tellsNothing(Files.readString(bundle), "payload");
    tellsNothing(Release.run(Map.of(), program, "bundle", "show", "--rules", bundle.toString()).assertStatus(0)
        .output(), "rule set");
    for (String output : List.of("text", "json")) {
      Release.Outcome verified = Release.run(Map.of(), program, "audit", "verify", "-o", output, "--key",
          folder.resolve("audit.pub").toString(), "--anchor", folder.resolve("anchor.log").toString(), log)
          .assertStatus(0);
      tellsNothing(verified.output(), "unchanged");
      Files.writeString(folder.resolve("other.yaml"), Files.readString(folder.resolve("rules.yaml"))
          .replace("{authorizer: never}", "{finalizer: noop}"));
      Release.Outcome replayed = Release.run(Map.of(), program, "replay", "--insecure", "-o", output, "-c",
          folder.resolve("config.yaml").toString(), "--rules", folder.resolve("other.yaml").toString(), log);
      tellsNothing(replayed.output(), output.equals("json") ? "\"requests\"" : "undecided");
    }
  }

  /** Every secret by every rule; the result is the statuses that came. */
  private static Set<String> askEverywhere(int port) throws IOException {
    Set<String> statuses = new TreeSet<>();
    for (String path : List.of("open", "basic", "jwt", "opaque", "session", "never", "ask", "down", "unknown")) {
      for (String secret : secrets()) {
        String answer = exchange(port, "POST /" + path + "?access_token=" + CANARY + " HTTP/1.1\r\nHost: a.test\r\n"
            + "Connection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: "
            + (13 + CANARY.length()) + "\r\n" + secret + "\r\naccess_token=" + CANARY);
        tellsNothing(answer, "HTTP/1.1 ");
        statuses.add(answer.substring(9, 12));
      }
    }
    return statuses;
  }

  private static void askBadly(int port) throws IOException {
    for (String broken : List.of("GET /open HTTP/1.1\r\nAuthorization: Bearer " + CANARY + "\r\n\r\n",
        "GET /open?t=" + CANARY + " HTTP/1.1\r\nHost: a b\r\nCookie: session=" + CANARY + "\r\n\r\n",
        "GET /open HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + CANARY + "\0\r\n\r\n",
        "GET /open HTTP/1.1\r\nHost: a\r\nContent-Length: " + CANARY + "\r\nAuthorization: Bearer " + CANARY
            + "\r\n\r\n")) {
      tellsNothing(exchange(port, broken), "HTTP/1.1 400");
    }
  }

  private static String get(int port, String path) throws IOException {
    return exchange(port, "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
        + "Authorization: Basic " + BASIC + "\r\n\r\n");
  }

  /** Reads the live page of the console until the program ends. */
  private static Future<String> live(int port, String page) {
    FutureTask<String> text = new FutureTask<>(() -> get(port, "/console/" + page + "/events"));
    Thread.ofVirtual().start(text);
    return text;
  }

  /** Fails where a secret is in the text, and where this is not. */
  private static void tellsNothing(String text, String butThis) {
    boolean shown = text.contains(CANARY) || text.contains(base64(CANARY)) || text.contains(BASIC)
        || text.contains(TOKEN);
    assertTrue(!shown && text.contains(butThis), text);
  }

  private static List<String> secrets() {
    return List.of("Authorization: Bearer " + CANARY + "\r\n", "Authorization: Bearer " + TOKEN + "\r\n",
        "Authorization: Basic " + BASIC + "\r\n", "Authorization: Basic " + CANARY + "\r\n",
        "Authorization: " + CANARY + "\r\n",
        "Cookie: session=" + CANARY + "; other=" + CANARY + "\r\n",
        "X-Api-Key: " + CANARY + "\r\nCookie: " + CANARY + "\r\n");
  }
}
