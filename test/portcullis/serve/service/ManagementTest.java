package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.crypto.keys.CryptoProvider;
import portcullis.crypto.keys.PublishedKeys;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.telemetry.OngoingProblem;

class ManagementTest {
  private static final Instant NOW = Instant.parse("2030-01-02T03:04:05Z");

  private final AtomicReference<List<String>> unreadyReasons = new AtomicReference<>(List.of());
  private final LoadHistory readings = new LoadHistory(() -> NOW);
  private Listener listener;

  @BeforeEach
  void start() throws Exception {
    ListenerSettings settings = ListenerSettings.plain("127.0.0.1", 0).with(ListenerSettings.STATUS_HOSTS,
        List.of("localhost", "127.0.0.1", "[::1]", "admin.local"));
    PublishedKeys none = PublishedKeys.of(List.of());
    listener = new Services(TelemetrySinks.NONE, new DeciderSetup(null, "authenticators: [{id: a, type: "
        + "anonymous}]", """
        - {id: a, match: {routes: [{path: /a}]}, execute: [{authenticator: a}]}
        """).log(), InstantSource.system()).management(settings, Optional.empty(), () -> none, condition());
  }

  private StatusSource condition() {
    return new StatusSource() {
      @Override
      public List<String> unreadyReasons() {
        return unreadyReasons.get();
      }

      @Override
      public StatusReport report() {
        return new StatusReport("1.2.3", NOW, new CryptoProvider("JDK 25", Optional.of("no library")),
            readings.configuration().orElseThrow(), true, readings.ruleSets(), Optional.empty(),
            List.of(new StatusReport.KeyStore("/etc/keys.pem",
                List.of(new StatusReport.Key("k", "ES256", Optional.of(NOW))))),
            List.of(new StatusReport.Breaker("https://pdp.local:443", 20, Optional.of(NOW))),
            List.of(new StatusReport.Cache("in-memory", 3, 400)),
            new StatusReport.Live(Map.of("websocket", 2L), Map.of("expired", 1L), 4, Optional.empty()),
            List.of(new OngoingProblem(NOW, "the log cannot be written: No space left on device")));
      }
    };
  }

  @AfterEach
  void stop() {
    listener.stop(Duration.ZERO);
  }

  private String receivedCalls(String target, String host, String... lines) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
      String more = lines.length == 0 ? "" : String.join("\r\n", lines) + "\r\n";
      String text = "GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n" + more + "Connection: close\r\n\r\n";
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String status(String answer) {
    return answer.substring(9, 12);
  }

  private static String body(String answer) {
    return answer.substring(answer.indexOf("\r\n\r\n") + 4);
  }

  @Test
  void connectionsEndWithARequestThatIsNotValid() throws IOException {
    String answer = OneRequest.answer(listener.port(),
        "GET /.well-known/health HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    assertEquals("400 close", OneRequest.status(answer) + " " + OneRequest.field(answer, "Connection"));
  }

  @Test
  void itIsReadyWhenNothingStandsInTheWay() throws IOException {
    assertEquals("{\"reasons\":[],\"status\":\"ready\"}", body(receivedCalls("/ready", "localhost")));
    unreadyReasons.set(List.of("the rules are not loaded", "the main service does not listen"));
    String answer = receivedCalls("/ready", "localhost");
    assertEquals("503", status(answer));
    assertEquals("{\"reasons\":[\"the rules are not loaded\",\"the main service does not listen\"],\"status\":\"not "
        + "ready\"}", body(answer));
    assertEquals("200", status(receivedCalls("/live", "probe")), "alive it is all the same");
    assertEquals("200", status(receivedCalls("/.well-known/health", "probe")), "and well, as heimdall says it");
  }

  @Test
  void reasonsAreForListedNamesAlone() throws IOException {
    unreadyReasons.set(List.of("the rules are not loaded"));
    for (String answer : List.of(receivedCalls("/ready", "probe"),
        receivedCalls("/ready", "localhost", "Origin: https://evil.local"))) {
      assertEquals("503", status(answer));
      assertEquals("{\"status\":\"not ready\"}", body(answer));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/ready", "/live", "/.well-known/health", "/.well-known/jwks"})
  void servesWhatIsNotSecretToAll(String target) throws IOException {
    assertEquals("200", status(receivedCalls(target, "evil.local:81", "Origin: https://evil.local")));
  }

  @ParameterizedTest
  @CsvSource({"localhost, '', 200", "LOCALHOST:4457, '', 200", "127.0.0.1:4457, '', 200", "[::1]:4457, '', 200",
    "admin.local, '', 200", "evil.local, '', 403", "localhost.evil.local, '', 403", "127.0.0.1.evil.local, '', 403",
    "127.0.0.2, '', 403", "localhost., '', 403", "localhost, http://localhost:9000, 200",
    "localhost, https://admin.local, 200",
    "localhost, https://evil.local, 403", "localhost, null, 403", "localhost, '', 200", "localhost, localhost, 403",
    "localhost, http://localhost@evil.local, 403", "localhost, http://evil.local/localhost, 403"})
  void servesStatusUnderListedNamesOnly(String host, String origin, String status) throws IOException {
    readings.configuration(true, new Problems());
    String answer = origin.isEmpty() ? receivedCalls("/status", host)
        : receivedCalls("/status", host, "Origin: " + origin);
    assertEquals(status, status(answer));
    assertEquals(status.equals("200"), answer.contains("1.2.3"));
    assertEquals(status.equals("403"), body(answer)
        .equals("{\"error\":\"this host name or origin is not listed in management.status_hosts\"}"));
  }

  @Test
  void statusShowsResultOfEachReload() throws IOException {
    readings.configuration(true, new Problems());
    Problems problems = new Problems();
    problems.error(new Origin.InFile(new SourceFile("r.yaml", "x"), 3, 7, 1), "rules[0]", "no rule", "");
    readings.applied("file_system:r.yaml", 2, new Problems());
    readings.rejected("file_system:r.yaml", problems);
    readings.rejected("file_system:new.yaml", new Problems());
    readings.applied("file_system:gone.yaml", 5, new Problems());
    readings.gone("file_system:gone.yaml");
    String body = body(receivedCalls("/status", "localhost"));
    for (String part : List.of("\"version\":\"1.2.3\"", "\"provider\":\"JDK 25\"", "\"native\":false",
        "\"obstacle\":\"no library\"", "\"started\":\"2030-01-02T03:04:05Z\"", "\"ready\":true",
        "\"rules\":2",
        "\"configuration\":{\"outcome\":\"applied\",\"problems\":[],\"read\":\"2030-01-02T03:04:05Z\"}",
        "{\"outcome\":\"rejected\",\"problems\":[\"r.yaml:3:7: rules[0]: no "
            + "rule\"],\"read\":\"2030-01-02T03:04:05Z\",\"rules\":2,"
            + "\"source\":\"file_system:r.yaml\"}",
        "\"rules\":0,\"source\":\"file_system:new.yaml\"",
        "\"key_stores\":[{\"file\":\"/etc/keys.pem\",\"keys\":[{\"algorithm\":\"ES256\",\"expires\":\"2030-01-02"
            + "T03:04:05Z\",\"id\":\"k\"}]}]",
        "\"breakers\":[{\"failures_in_a_row\":20,\"open_since\":\"2030-01-02T03:04:05Z\","
            + "\"service\":\"https://pdp.local:443\"}]",
        "\"problems\":[{\"since\":\"2030-01-02T03:04:05Z\",\"text\":\"the log cannot be written: No space left on "
            + "device\"}]",
        "\"caches\":[{\"bytes\":400,\"entries\":3,\"type\":\"in-memory\"}]",
        "\"streams\":{\"active\":{\"websocket\":2},\"ended\":{\"expired\":1}}", "\"locks\":4")) {
      assertTrue(body.contains(part), part + " is not in " + body);
    }
    assertTrue(!body.contains("gone.yaml"), body);
  }

  @Test
  void theStatusHasTheReasonsWhyItIsNotReady() throws IOException {
    readings.configuration(true, new Problems());
    String ready = body(receivedCalls("/status", "localhost"));
    assertTrue(ready.contains("\"ready\":true,\"reasons\":[],"), ready);
    unreadyReasons.set(List.of("the rules are not loaded"));
    String unready = body(receivedCalls("/status", "localhost"));
    assertTrue(unready.contains("\"ready\":false,\"reasons\":[\"the rules are not loaded\"],"), unready);
  }

  @ParameterizedTest
  @CsvSource({"OPTIONS, *, 200, '', ''", "GET, /none, 404, '', 404 page not found", "POST, /live, 405, GET, ''",
    "PUT, /ready, 405, GET, ''", "DELETE, /status, 405, GET, ''", "HEAD, /.well-known/jwks, 405, GET, ''"})
  void othersAreAnsweredByStatusAlone(String method, String target, int status, String allow, String body)
      throws IOException {
    String answer = OneRequest.receivedCalls(listener.port(), method, target);
    assertEquals(status, OneRequest.status(answer));
    assertEquals(allow, OneRequest.field(answer, "Allow"));
    assertEquals(body, OneRequest.body(answer).strip());
  }

  @Test
  void nothingThatPassesIsKept() throws IOException {
    for (String path : List.of("/ready", "/live", "/status")) {
      String answer = receivedCalls(path, "probe");
      assertTrue(answer.contains("Cache-Control: no-store\r\n"), answer);
      assertTrue(answer.contains("X-Content-Type-Options: nosniff\r\n"), answer);
      assertTrue(answer.contains("Content-Type: application/json\r\n"), answer);
    }
  }

  @Test
  void whatIsServedHasItsTypeAndText() throws IOException {
    String health = receivedCalls("/.well-known/health", "probe");
    assertEquals("{\"status\":\"ok\"}", body(health));
    assertEquals("{\"status\":\"live\"}", body(receivedCalls("/live", "probe")));
    String missing = receivedCalls("/nowhere", "probe");
    assertEquals("404 text/plain; charset=utf-8", status(missing) + " " + OneRequest.field(missing, "Content-Type"));
    for (String answer : List.of(health, receivedCalls("/.well-known/jwks", "probe"))) {
      assertEquals("application/json", OneRequest.field(answer, "Content-Type"));
    }
  }

  @Test
  void keysHaveATagThatStandsForThem() throws IOException {
    String answer = receivedCalls("/.well-known/jwks", "probe");
    String tag = answer.substring(answer.indexOf("ETag: ") + 6).lines().findFirst().orElseThrow();
    String known = receivedCalls("/.well-known/jwks", "probe", "If-None-Match: \"other\", " + tag);
    assertEquals("304 " + tag, status(known) + " " + OneRequest.field(known, "ETag"));
    assertEquals("200", status(receivedCalls("/.well-known/jwks", "probe", "If-None-Match: \"other\"")));
    assertEquals("304", status(receivedCalls("/.well-known/jwks", "probe", "If-None-Match: *")));
    assertEquals("200", status(receivedCalls("/.well-known/jwks", "probe", "If-None-Match: \"*\"")));
  }
}
