package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.http.message.TrustedProxies;
import portcullis.lang.address.Network;
import portcullis.observe.metrics.Metric;
import portcullis.observe.metrics.Registry;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.observe.telemetry.MessageCopy;
import portcullis.observe.telemetry.SafeUrl;

/**
 * What the log holds of requests to each endpoint: two access events always, at level trace the messages with their
 * bodies.
 */
class EveryRequestLoggedTest {
  private static final Metric TARGET = new Metric("target_info", "", "", Metric.Kind.GAUGE, List.of());
  private static final String MECHANISMS = "authenticators: [{id: anon, type: anonymous}]\n"
      + "finalizers: [{id: noop, type: noop}]\n";
  private static final String RULE = "- {id: a, match: {routes: [{path: '/**'}]}, execute: [{authenticator: anon}, "
      + "{finalizer: noop}]}";

  /** Starts a service that writes to this log. */
  private interface Start {
    Listener listen(Services services) throws IOException;
  }

  private static String logged(Level level, Start start, String... requests) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (LogWriter writer = new LogWriter(out)) {
      Log log = new Log(level, LogFormat.GELF, writer, InstantSource.system(), "test");
      Listener listener = start.listen(new Services(TelemetrySinks.NONE, log, InstantSource.system()));
      for (String request : requests) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
          socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
          assertTrue(socket.getInputStream().readAllBytes().length > 0);
        }
      }
      listener.stop(Duration.ofSeconds(5));
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static Start started(String service) {
    return switch (service) {
      case "metrics" -> services -> services.metrics("127.0.0.1", 0, new Registry(), TARGET);
      case "profiling" -> services -> services.profiling("127.0.0.1", 0, List.of("portcullis"), List.of("a.test"));
      default -> services -> services.decision(ListenerSettings.plain("127.0.0.1", 0), Optional.empty(),
          new DeciderSetup(null, MECHANISMS, RULE).decider());
    };
  }

  private static String request(String method, String path, String more) {
    return method + " " + path + " HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n" + more;
  }

  private static long count(String text, String part) {
    return text.lines().filter(line -> line.contains(part)).count();
  }

  @ParameterizedTest
  @CsvSource({"metrics,/metrics,200", "metrics,/none,404", "profiling,/debug/pprof/cmdline,200", "profiling,/x,404",
    "decision,/a,200"})
  void everyRequestHasTwoAccessEvents(String service, String path, int status) throws IOException {
    String log = logged(Level.ERROR, started(service), request("GET", path, "\r\n"), request("HEAD", path, "\r\n"));
    assertEquals(2, count(log, "\"TX started\""), log);
    assertEquals(2, count(log, "\"TX finished\""), log);
    assertEquals(4, count(log, "\"_http_path\":\"" + path + "\""), log);
    assertEquals(4, count(log, "\"_http_host\":\"a.test\""), log);
    assertEquals(4, count(log, "\"_client_ip\":\"127.0.0.1\""), log);
    assertTrue(count(log, "\"_http_status_code\":" + status) >= 1, log);
  }

  @Test
  void whoIsNamedInAUrlIsMasked() throws IOException {
    String log = logged(Level.INFO, started("decision"),
        "GET http://ann:canary@a.test/p@1 HTTP/1.1\r\nHost: ann:canary@a.test\r\nConnection: close\r\n\r\n");
    assertEquals(1, count(log, "\"_http_path\":\"http://***@a.test/p@1\""), log);
    assertEquals(1, count(log, "\"_http_host\":\"***@a.test\""), log);
    assertEquals(0, count(log, "canary"), log);
  }

  /** Over HTTP/2 each value may be a byte on the wire, and each byte of it takes six in the log. */
  @Test
  void longValuesOfClientsAreCut() throws IOException {
    String path = "/" + "p".repeat(3_000);
    String log = logged(Level.INFO, started("decision"),
        request("GET", path, "User-Agent: " + "\u0080".repeat(3_999) + "!\r\n\r\n"),
        request("GET", path.substring(0, 2_048), "User-Agent: " + "u".repeat(512) + "\r\n\r\n"));
    String half = "\\u0080";
    assertEquals(2, count(log, "\"_http_user_agent\":\"" + half.repeat(384) + "… (3488 characters) …"
        + half.repeat(127) + "!\""), log);
    assertEquals(2, count(log, "\"_http_path\":\"/" + "p".repeat(1_535) + "… (953 characters) …" + "p".repeat(512)
        + "\""), log);
    assertEquals(2, count(log, "\"_http_user_agent\":\"" + "u".repeat(512) + "\""), log);
    assertEquals(2, count(log, "\"_http_path\":\"/" + "p".repeat(2_047) + "\""), log);
  }

  /** Or a request could occupy a processor. */
  @Test
  void usersInLongFieldsAreMaskedInTimeThatGrowsWithThem() {
    String hosts = "@;" + "host=".repeat(200_000);
    assertEquals(hosts, RequestFields.forwardedWithoutUser(hosts));
    assertEquals("for=a;Host=\"***@h\", host=h2;by=x@y, host=***@h3;host=$1",
        RequestFields.forwardedWithoutUser("for=a;Host=\"u:p@q@h\", host=h2;by=x@y, host=host=u@h3;host=$1"));
  }

  /** As for a pattern a dot is none of them. */
  @Test
  void usersAreMaskedWithLineEndsInThem() {
    assertEquals("***@h", RequestFields.hostWithoutUser("u:p\u0085w\u2028@h"));
    assertEquals("host=***@h", RequestFields.forwardedWithoutUser("host=u:p\u0085w\u2028@h"));
    assertEquals("host=host=\"***@h\"", RequestFields.forwardedWithoutUser("host=host=\"u:p@h\""));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {"u:canary@h:1|***@h:1", "http:u:canary@h/|http:***@h/",
    "http:///u:canary@h|http:///***@h", "\\\\u:canary@h|\\\\***@h", "http://a.test/p@1|http://a.test/p@1",
    "/p@1|/p@1", "u:canary@h?x@y|***@h?x@y"})
  void usersOfTargetsAreMasked(String target, String shown) {
    assertEquals(shown, SafeUrl.withoutUser(target));
  }

  @Test
  void secretsInWhatAProxyForwardsAreMasked() throws IOException {
    TrustedProxies proxies = new TrustedProxies(List.of(Network.parse("127.0.0.1").orElseThrow()));
    ListenerSettings settings = ListenerSettings.plain("127.0.0.1", 0).with(ListenerSettings.PROXIES, proxies);
    String log = logged(Level.INFO,
        services -> services.decision(settings, Optional.empty(), new DeciderSetup(null, MECHANISMS, RULE).decider()),
        request("GET", "/a", "X-Forwarded-Uri: /a?q=1&access_token=canary\r\nX-Forwarded-Host: u:canary@h\r\n"
            + "Forwarded: proto=http;host=\"u:canary@h\"\r\n\r\n"));
    assertEquals(0, count(log, "canary"), log);
    assertTrue(count(log, "\"_http_x_forwarded_uri\":\"/a?q=1&access_token=REDACTED\"") >= 1, log);
    assertTrue(count(log, "\"_http_x_forwarded_host\":\"***@h\"") >= 1, log);
    assertTrue(count(log, "\"_http_forwarded\":\"proto=http;host=\\\"***@h\\\"\"") >= 1, log);
  }

  @Test
  void finishedRequestNamesItsRuleAndTheFailedStep() throws IOException {
    String mechanisms = MECHANISMS + "authorizers: [{id: closed, type: deny}]\n";
    String rules = RULE + "\n- {id: b, match: {routes: [{path: /no}]}, execute: [{authenticator: anon}, "
        + "{authorizer: closed}, {finalizer: noop}]}"
        + "\n- {id: c, match: {routes: [{path: /named}]}, execute: [{authenticator: anon}, "
        + "{id: door, authorizer: closed}, {finalizer: noop}]}";
    Start start = services -> services.decision(ListenerSettings.plain("127.0.0.1", 0), Optional.empty(),
        new DeciderSetup(null, mechanisms, rules).decider());
    String log = logged(Level.ERROR, start, request("GET", "/yes", "\r\n"), request("GET", "/named", "\r\n"),
        request("GET", "/no", "\r\n"));
    List<String> finished = log.lines().filter(line -> line.contains("\"TX finished\"")).toList();
    assertTrue(finished.getFirst().contains("\"_rule\":\"a\",\"_rule_set\":\""), log);
    assertEquals(0, count(finished.getFirst(), "_step"), log);
    assertTrue(finished.get(1).contains("\"_step\":\"door\""), log);
    assertTrue(finished.getLast().contains("\"_rule\":\"b\",\"_rule_set\":\""), log);
    assertTrue(finished.getLast().contains("\"_step\":\"closed\""), log);
    assertTrue(finished.getLast().contains("\"_error\":\""), log);
  }

  @Test
  void traceHasBodyThatNothingReads() throws IOException {
    String body = "{\"who\":\"alice\"}";
    String posted = request("POST", "/a",
        "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
    assertTrue(logged(Level.TRACE, started("decision"), posted).contains("{\\\"who\\\":\\\"alice\\\"}"));
    assertEquals(0, count(logged(Level.DEBUG, started("decision"), posted), "alice"));
  }

  @Test
  void traceBoundsTheBodyOfAMessage() throws IOException {
    String body = "x".repeat(200_000);
    String log = logged(Level.TRACE, started("decision"),
        request("POST", "/a", "Content-Length: " + body.length() + "\r\n\r\n" + body));
    assertTrue(log.length() < 100_000, () -> "" + log.length());
  }

  @Test
  void traceHoldsTheAnswerOfAScrape() throws IOException {
    Registry registry = new Registry();
    registry.counter("tests", "", "Tests").of().increment();
    String log = logged(Level.TRACE, services -> services.metrics("127.0.0.1", 0, registry, TARGET),
        request("GET", "/metrics", "\r\n"));
    assertTrue(log.contains("tests_total 1"), log);
  }

  @Test
  void traceHoldsTheStartLinesAsTheyWere() throws IOException {
    String log = logged(Level.TRACE, started("decision"), request("GET", "/a?b=%20c", "\r\n"),
        request("OPTIONS", "*", "\r\n"), request("GET", "/plain", "\r\n"));
    assertTrue(log.contains("Request: \\nGET /a?b=%20c HTTP/1.1\\r\\nHost: a.test"), log);
    assertTrue(log.contains("Request: \\nOPTIONS * HTTP/1.1\\r\\n"), log);
    assertTrue(log.contains("Request: \\nGET /plain HTTP/1.1\\r\\n"), log);
    assertEquals(2, count(log, "Response: \\nHTTP/1.1 200"), log);
  }

  /** A client that expects 100 would be made to send a body that no rule reads. */
  @Test
  void traceDoesNotReadABodyThatTheClientHoldsBack() throws IOException {
    String log = logged(Level.TRACE, started("decision"),
        request("POST", "/a", "Expect: 100-continue\r\nContent-Length: 5\r\n\r\nalice"));
    assertEquals(0, count(log, "alice"), log);
  }

  @Test
  void traceHoldsABodyOfTheMaximumLengthAsAWhole() throws IOException {
    String body = "x".repeat(MessageCopy.LONGEST - 1) + "!";
    String log = logged(Level.TRACE, started("decision"),
        request("POST", "/a", "Content-Length: " + body.length() + "\r\n\r\n" + body));
    assertTrue(log.contains("xxx!"), "the last byte too");
    assertFalse(log.contains("xxx!…"), "nothing is left out");
  }

  @Test
  void aMessageThatIsRefusedAtOnceHasOneEvent() throws IOException {
    String log = logged(Level.ERROR, started("decision"),
        "GET /p?q HTTP/1.1\r\nHost: a\r\nHost: b\r\nUser-Agent: u\r\n\r\n");
    List<String> events = log.lines().filter(line -> line.contains("\"TX ")).toList();
    assertEquals(1, events.size(), log);
    String event = events.getFirst();
    for (String part : List.of("\"TX refused\"", "\"_client_ip\":\"127.0.0.1\"", "\"_http_method\":\"GET\"",
        "\"_http_path\":\"/p\"", "\"_http_user_agent\":\"u\"", "\"_http_host\":\"a\"", "\"_body_bytes_sent\":0",
        "\"_http_status_code\":400", "\"_tx_duration_ms\":0", "\"_access_granted\":false", "\"_error\":\"")) {
      assertTrue(event.contains(part), part + " in " + event);
    }
    long now = System.currentTimeMillis() / 1000;
    Matcher start = Pattern.compile("\"_tx_start\":(\\d+)").matcher(event);
    assertTrue(start.find() && now - Long.parseLong(start.group(1)) < 600, event);
  }

  @Test
  void whatStrangersSayOfProxiesIsNotLogged() throws IOException {
    String log = logged(Level.ERROR, started("decision"),
        request("GET", "/a", "X-Forwarded-For: 192.0.2.7\r\nX-Forwarded-Uri: /b\r\n\r\n"));
    assertEquals(2, count(log, "\"_http_path\":\"/a\""), log);
    assertFalse(log.contains("192.0.2.7") || log.contains("_forwarded"), log);
  }

  @Test
  void traceHoldsABodyWithoutAnnouncedLengthAsFarAsItIsRead() throws IOException {
    String mechanisms = MECHANISMS
        + "authorizers: [{id: reads, type: cel, config: {expressions: [{expression: 'size(Request.Body()) == 5'}]}}]\n";
    Start reading = services -> services.decision(ListenerSettings.plain("127.0.0.1", 0), Optional.empty(),
        new DeciderSetup(null, mechanisms, RULE.replace("{finalizer", "{authorizer: reads}, {finalizer")).decider());
    String log = logged(Level.TRACE, reading, request("POST", "/a",
        "Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nalice\r\n0\r\n\r\n"));
    assertTrue(log.contains("\\r\\n\\r\\nalice"), log);
    assertTrue(log.contains("Response: \\nHTTP/1.1 200"), log);
  }
}
