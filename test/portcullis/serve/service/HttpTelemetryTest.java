package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.serve.service.OneRequest.status;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import portcullis.crypto.keys.PublishedKeys;
import portcullis.fixture.Await;
import portcullis.fixture.FreePort;
import portcullis.http.message.Response;
import portcullis.http.server.Descriptors;

/** Spans and measurements of requests, by the semantic conventions for HTTP servers. */
class HttpTelemetryTest {
  private static final String DURATION = "http.server.request.duration";
  private static final String ACTIVE = "http.server.active_requests";
  private static final String MECHANISMS = """
      authenticators: [{id: anon, type: anonymous}, {id: nobody, type: unauthorized}]
      authorizers: [{id: reads, type: cel, config: {expressions: [{expression: 'size(Request.Body()) > 0'}]}}]
      """;
  private static final String RULES = """
      - {id: open, match: {routes: [{path: "/open/:what"}], methods: [ALL]}, execute: [{authenticator: anon}]}
      - {id: shut, match: {routes: [{path: /shut}]}, execute: [{authenticator: nobody}]}
      - {id: reads, match: {routes: [{path: /reads}], methods: [POST]}, execute: [{authenticator: anon}, {authorizer: \
      reads}]}
      """;

  private int port = FreePort.next();
  private final DeciderSetup setup = new DeciderSetup(null, MECHANISMS, RULES);
  private Observing observing;
  private Listener listener;

  @BeforeEach
  void start() throws IOException {
    observing = new Observing();
  }

  @AfterEach
  void stop() {
    listener.stop(Duration.ofSeconds(5));
    observing.close();
  }

  private void decides(TelemetrySinks observed) throws IOException {
    listener = new Services(observed, setup.log(), InstantSource.system())
        .decision(ListenerSettings.plain("127.0.0.1", port), Optional.empty(), setup.decider());
  }

  private void handles(String host, Layer.Handler handler) throws IOException {
    listener = Listener.start("test", ListenerSettings.plain(host, port), Optional.empty(), handler, observing.all(),
        setup.log(), InstantSource.system(), new Descriptors());
  }

  private String receivedCalls(String method, String target, String... lines) throws IOException {
    return OneRequest.receivedCalls(port, method, target, lines);
  }

  /** The attributes of a request to {@code decision}, in their order, with these beside them. */
  private String attributes(String... more) {
    Map<String, String> out = new TreeMap<>(Map.of("server.address", "127.0.0.1", "server.port", "" + port,
        "service.subsystem", "decision", "url.scheme", "http"));
    for (int i = 0; i < more.length; i += 2) {
      out.put(more[i], more[i + 1]);
    }
    return out.toString();
  }

  private String finished(String method, int status, String... more) {
    String[] all = {"http.request.method", method, "http.response.status_code", "" + status, "network.protocol.name",
      "http", "network.protocol.version", "1.1"};
    String[] out = Arrays.copyOf(all, all.length + more.length);
    System.arraycopy(more, 0, out, all.length, more.length);
    return attributes(out);
  }

  @Test
  void requestIsMeasuredByMethodStatusAndRoute() throws IOException {
    decides(observing.measurementsAlone());
    assertEquals(200, status(receivedCalls("GET", "/open/a")));
    assertEquals(200, status(receivedCalls("GET", "/open/b")));
    assertEquals(200, status(receivedCalls("PUT", "/open/b")));
    assertEquals(401, status(receivedCalls("GET", "/shut")));
    assertEquals(404, status(receivedCalls("BREW", "/nowhere")));
    Map<String, String> durations = observing.measured(DURATION, 4);
    assertEquals(new TreeMap<>(Map.of(finished("GET", 200, "http.route", "/open/:what"), "2 of time",
        finished("PUT", 200, "http.route", "/open/:what"), "1 of time",
        finished("GET", 401, "http.route", "/shut"), "1 of time", finished("_OTHER", 404), "1 of time")), durations);
  }

  @Test
  void durationIsThatOfTheWholeRequest() throws Exception {
    handles("127.0.0.1", transaction -> {
      long end = System.nanoTime() + 1_100_000_000L;
      while (System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      transaction.answer(Response.of(204));
    });
    receivedCalls("GET", "/");
    observing.measured(DURATION, 1);
    String text = observing.text();
    assertTrue(text.lines().anyMatch(l -> l.startsWith("http_server_request_duration_seconds_bucket")
        && l.contains("le=\"1\"") && l.endsWith(" 0")), text);
    double seconds = text.lines().filter(l -> l.startsWith("http_server_request_duration_seconds_sum"))
        .mapToDouble(l -> Double.parseDouble(l.substring(l.lastIndexOf(' ') + 1))).sum();
    assertTrue(seconds > 1 && seconds < 600, text);
  }

  @Test
  void bodiesAreMeasuredByTheirLength() throws IOException {
    decides(observing.measurementsAlone());
    for (int i = 0; i < 2; i++) {
      OneRequest.answer(port, OneRequest.text("POST", "/open/a", "Content-Length: 5") + "\r\nhello");
    }
    OneRequest.answer(port, OneRequest.text("PATCH", "/open/a", "Transfer-Encoding: chunked") + "\r\n0\r\n\r\n");
    observing.measured(DURATION, 2);
    assertEquals(Map.of(finished("POST", 200, "http.route", "/open/:what"), "2 of 10"),
        observing.measured("http.server.request.body.size"));
    assertEquals(2, observing.measured("http.server.response.body.size").size());
  }

  @Test
  void measuresLengthAfterRequestWithoutOne() throws Exception {
    decides(observing.measurementsAlone());
    OneRequest.answer(port, OneRequest.text("POST", "/open/a", "Transfer-Encoding: chunked") + "\r\n0\r\n\r\n");
    OneRequest.answer(port, OneRequest.text("POST", "/open/a", "Content-Length: 5") + "\r\nhello");
    String kind = finished("POST", 200, "http.route", "/open/:what");
    Await.until(() -> observing.measured(DURATION).containsValue("2 of time"));
    assertEquals(Map.of(kind, "1 of 5"), observing.measured("http.server.request.body.size"));
  }

  @Test
  void bodiesOfAnswersAreMeasured() throws Exception {
    handles("127.0.0.1", transaction -> transaction.answer(Response.of(200, "text/plain", "hello")));
    receivedCalls("GET", "/");
    receivedCalls("GET", "/");
    Await.until(() -> observing.measured(DURATION).containsValue("2 of time"));
    assertEquals(List.of("2 of 10"), List.copyOf(observing.measured("http.server.response.body.size").values()));
  }

  @Test
  void countsDecisionsByRule() throws IOException {
    decides(observing.measurementsAlone());
    receivedCalls("GET", "/open/a");
    receivedCalls("GET", "/open/a");
    receivedCalls("GET", "/shut");
    receivedCalls("OPTIONS", "*");
    receivedCalls("GET", "/nowhere");
    observing.measured(DURATION, 4);
    assertEquals(
        new TreeMap<>(Map.of("{rule.decision=allowed, rule.id=open, ruleset.id=test}", "2",
            "{rule.decision=denied, rule.id=shut, ruleset.id=test}", "1", "{rule.decision=denied}", "2")),
        observing.measured("portcullis.rule.decisions"));
  }

  @Test
  void requestInProgressIsCountedUntilItIsOver() throws Exception {
    decides(observing.all());
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(
          (OneRequest.text("POST", "/reads", "Content-Length: 2") + "\r\n{").getBytes(StandardCharsets.ISO_8859_1));
      String kind = attributes("http.request.method", "POST");
      Await.until(() -> observing.measured(ACTIVE).containsValue("1"));
      assertEquals(Map.of(kind, "1"), observing.measured(ACTIVE));
      socket.getOutputStream().write('}');
      socket.getInputStream().readAllBytes();
      Await.until(() -> observing.measured(ACTIVE).containsValue("0"));
      assertEquals(Map.of(kind, "0"), observing.measured(ACTIVE));
    }
    assertEquals(200, status(receivedCalls("GET", "/open/a")));
    assertEquals(2, observing.measured(ACTIVE, 2).size());
  }

  @Test
  void spanDescribesTheRequest() throws IOException {
    decides(observing.spansAlone());
    receivedCalls("GET", "/open/a%20b?token=abc&q=1", "User-Agent: test/1");
    Observing.Seen span = observing.server(2);
    Map<String, String> expected = new TreeMap<>(Map.of("http.request.method", "GET", "url.scheme", "http",
        "client.address", "127.0.0.1", "network.peer.address", "127.0.0.1", "service.subsystem", "decision",
        "network.protocol.name", "http", "network.protocol.version", "1.1", "url.path", "/open/a%20b", "url.query",
        "token=REDACTED&q=1", "server.address", "localhost"));
    expected.putAll(Map.of("server.port", "80", "user_agent.original", "test/1", "http.route", "/open/:what", "rule.id",
        "open", "ruleset.id", "test", "access.granted", "true", "http.response.status_code", "200"));
    assertEquals(expected, span.attributes());
    assertEquals("GET /open/:what 2 false ", span.name() + " " + span.kind() + " " + span.failed() + " "
        + span.parent());
    assertEquals(Map.of(), observing.measured(DURATION));
  }

  @Test
  void spanOfARequestThatNoRuleIsForHasNoRoute() throws IOException {
    decides(observing.all());
    OneRequest.answer(port, "BREW /nowhere HTTP/1.1\r\nHost: a.test:8080\r\nConnection: close\r\n\r\n");
    Observing.Seen span = observing.spans(1).getFirst();
    assertEquals("HTTP 2 false", span.name() + " " + span.kind() + " " + span.failed());
    assertEquals("_OTHER a.test 8080 /nowhere 404 false", String.join(" ", List.of("http.request.method",
        "server.address", "server.port", "url.path", "http.response.status_code", "access.granted").stream()
        .map(span.attributes()::get).toList()));
    for (String absent : List.of("http.route", "rule.id", "ruleset.id", "url.query", "error.type",
        "user_agent.original")) {
      assertEquals(null, span.attributes().get(absent), absent);
    }
  }

  @Test
  void spanOfARefusedMessageHasTheServiceAddress() throws IOException {
    decides(observing.all());
    assertEquals(400, status(OneRequest.answer(port, "GET /open/a HTTP/1.0\r\n\r\n")));
    Map<String, String> attributes = observing.spans(1).getFirst().attributes();
    assertEquals("127.0.0.1 " + port + " 400", attributes.get("server.address") + " " + attributes.get("server.port")
        + " " + attributes.get("http.response.status_code"));
    assertEquals(null, attributes.get("url.path"));
    assertEquals(Map.of(finished("GET", 400, "network.protocol.version", "1.0"), "1 of time"),
        observing.measured(DURATION, 1));
  }

  @Test
  void serverErrorsFailTheirSpans() throws IOException {
    handles("", transaction -> transaction
        .answer(Response.of(Integer.parseInt(transaction.exchange().getRequestURI().getPath().substring(1)))));
    for (int status : List.of(499, 500, 503)) {
      receivedCalls("GET", "/" + status);
    }
    assertEquals(List.of("499 false null", "500 true 500", "503 true 503"), observing.spans(3).stream()
        .map(s -> s.attributes().get("http.response.status_code") + " " + s.failed() + " "
            + s.attributes().get("error.type"))
        .sorted().toList());
    Map<String, String> durations = observing.measured(DURATION, 3);
    assertTrue(durations.keySet().stream().allMatch(
        kind -> !kind.contains("error.type") && kind.contains("server.address=0.0.0.0,")), durations.toString());
  }

  @Test
  void requestWithoutAnAnswerIsAborted() throws IOException {
    handles("127.0.0.1", _ -> {
      throw new IOException("gone");
    });
    try {
      receivedCalls("OPTIONS", "*");
    } catch (SocketException e) {
      // the connection was broken off
    }
    Observing.Seen span = observing.spans(1).getFirst();
    assertEquals("OPTIONS true aborted * null", span.name() + " " + span.failed() + " "
        + span.attributes().get("error.type") + " " + span.attributes().get("url.path") + " "
        + span.attributes().get("http.response.status_code"));
    String kind = observing.measured(DURATION, 1).keySet().iterator().next();
    assertTrue(kind.startsWith("{error.type=aborted, http.request.method=OPTIONS, network"), kind);
  }

  @Test
  void questionsAfterHealthAreNotWatched() throws Exception {
    PublishedKeys none = PublishedKeys.of(List.of());
    listener = new Services(observing.all(), setup.log(), InstantSource.system())
        .management(ListenerSettings.plain("127.0.0.1", port), Optional.empty(), () -> none, null);
    assertEquals(200, status(receivedCalls("GET", "/.well-known/health")));
    assertEquals(200, status(receivedCalls("GET", "/live")));
    assertEquals(400, status(OneRequest.answer(port, "GET /.well-known/health HTTP/1.0\r\n\r\n")));
    assertEquals(List.of("/live", "none"), observing.spans(2).stream()
        .map(s -> s.attributes().getOrDefault("url.path", "none")).sorted().toList());
    assertEquals(2, observing.measured(DURATION, 2).size());
    assertEquals("management", observing.spans(2).getFirst().attributes().get("service.subsystem"));
    listener.stop(Duration.ofSeconds(5));
    port = FreePort.next();
    decides(observing.all());
    receivedCalls("GET", "/.well-known/health");
    assertEquals(3, observing.spans(3).size(), "elsewhere it is a path like any other");
  }

  @Test
  void spanContinuesTheTraceOfTheCaller() throws IOException {
    decides(observing.all());
    receivedCalls("GET", "/open/a", "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
    List<Observing.Seen> spans = observing.spans(2);
    Observing.Seen server = spans.stream().filter(s -> s.kind() == 2).findFirst().orElseThrow();
    assertEquals("00f067aa0ba902b7", server.parent());
  }

  @Test
  void unsampledRequestsAreMeasuredAllTheSame() throws IOException {
    decides(observing.all());
    receivedCalls("GET", "/open/a", "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00");
    receivedCalls("GET", "/shut");
    observing.measured(DURATION, 2);
    assertEquals(List.of("401"), observing.spans(2).stream().filter(s -> s.kind() == 2)
        .map(s -> s.attributes().get("http.response.status_code")).toList());
  }
}
