package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.serve.service.OneRequest.body;
import static portcullis.serve.service.OneRequest.field;
import static portcullis.serve.service.OneRequest.status;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.observe.metrics.Metric;
import portcullis.observe.metrics.Registry;

/** What whoever scrapes gets, and how scrapes are counted. */
class MetricsEndpointTest {
  private static final Metric TARGET = new Metric("target_info", "", "What it is", Metric.Kind.GAUGE,
      List.of(Registry.sample(new Metric.Whole(1), "service.name", "gate")));
  private static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final Registry registry = new Registry();
  private DeciderSetup setup;
  private Listener listener;

  @BeforeEach
  void start() throws Exception {
    setup = new DeciderSetup(null, "authenticators: [{id: a, type: anonymous}]", """
        - {id: a, match: {routes: [{path: /a}]}, execute: [{authenticator: a}]}
        """);
    listener = new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system()).metrics("127.0.0.1", 0, registry,
        TARGET);
  }

  @AfterEach
  void stop() {
    listener.stop(Duration.ofSeconds(5));
  }

  private String receivedCalls(String method, String target, String... lines) throws IOException {
    return OneRequest.receivedCalls(listener.port(), method, target, lines);
  }

  private String scraped() throws IOException {
    return body(receivedCalls("GET", "/metrics"));
  }

  @Test
  void scrapeHoldsTheTargetAndAllThatIsMeasured() throws IOException {
    registry.counter("tests", "", "Tests").of().add(3);
    String answer = receivedCalls("GET", "/metrics");
    assertEquals("200 " + TYPE, status(answer) + " " + field(answer, "Content-Type"));
    assertEquals("", field(answer, "Content-Encoding"));
    assertTrue(body(answer).startsWith("# HELP target_info What it is\n# TYPE target_info gauge\n"
        + "target_info{service_name=\"gate\"} 1\n"), answer);
    assertTrue(body(answer).contains("\ntests_total 3\n"), answer);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      GET  | /metrics   | 200
      HEAD | /metrics   | 200
      POST | /metrics   | 405
      GET  | /          | 404
      GET  | /metrics/  | 404
      OPTIONS | *       | 404
      """)
  void everyPathHasItsStatus(String method, String target, int status) throws IOException {
    String answer = receivedCalls(method, target);
    assertEquals(status, status(answer));
    assertEquals(status == 405 ? "GET, HEAD" : "", field(answer, "Allow"));
    assertEquals(status == 404 ? "404 page not found\n" : "", status == 200 ? "" : body(answer));
    assertEquals(status == 404 ? "text/plain; charset=utf-8" : status == 200 ? TYPE : "",
        field(answer, "Content-Type"));
  }

  @Test
  void messageThatIsRefusedEndsTheConnection() throws IOException {
    String answer = OneRequest.answer(listener.port(), "GET /metrics HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    assertEquals("400 close", status(answer) + " " + field(answer, "Connection"));
  }

  @Test
  void scrapeIsZippedOnRequest() throws IOException {
    String answer = receivedCalls("GET", "/metrics", "Accept-Encoding: deflate", "Accept-Encoding: gzip;q=0.5");
    assertEquals("gzip " + TYPE, field(answer, "Content-Encoding") + " " + field(answer, "Content-Type"));
    String text = new String(
        new GZIPInputStream(new ByteArrayInputStream(body(answer).getBytes(ISO_8859_1))).readAllBytes(), ISO_8859_1);
    assertTrue(text.startsWith("# HELP target_info ") && text.endsWith("\n"), text);
    assertEquals("", field(receivedCalls("GET", "/metrics", "Accept-Encoding: deflate"), "Content-Encoding"));
  }

  @Test
  void scrapesAreCountedByTheirStatus() throws IOException {
    String first = scraped();
    for (String line : List.of("promhttp_metric_handler_requests_total{code=\"200\"} 0",
        "promhttp_metric_handler_requests_total{code=\"500\"} 0",
        "promhttp_metric_handler_requests_total{code=\"503\"} 0",
        "promhttp_metric_handler_errors_total{cause=\"encoding\"} 0",
        "promhttp_metric_handler_errors_total{cause=\"gathering\"} 0",
        "# HELP promhttp_metric_handler_requests_total Total number of scrapes by HTTP status code.",
        "# HELP promhttp_metric_handler_errors_total Total number of internal errors encountered by the handler.",
        "# HELP promhttp_metric_handler_requests_in_flight Current number of scrapes being served.")) {
      assertTrue(first.lines().anyMatch(line::equals), () -> line + " is not in " + first);
    }
    receivedCalls("GET", "/none");
    receivedCalls("POST", "/metrics");
    String second = scraped();
    assertTrue(second.contains("promhttp_metric_handler_requests_total{code=\"200\"} 1\n"), second);
    assertTrue(second.contains("promhttp_metric_handler_requests_in_flight 1\n"), "this one: " + second);
  }

  @Test
  void scrapeInProgressIsCountedUntilItIsOver() throws IOException {
    scraped();
    Metric inFlight = registry.read().stream()
        .filter(metric -> metric.name().equals("promhttp_metric_handler_requests_in_flight")).findFirst().orElseThrow();
    assertEquals(List.of(new Metric.Whole(0)), inFlight.samples().stream().map(Metric.Sample::value).toList());
  }

  @Test
  void faultWhileCollectingIs500AndLogged() throws IOException {
    boolean[] broken = {true};
    registry.observe("sick", "", "", Metric.Kind.GAUGE, () -> {
      if (broken[0]) {
        throw new IllegalStateException("a bug");
      }
      return List.of();
    });
    assertEquals(500, status(receivedCalls("GET", "/metrics")));
    broken[0] = false;
    String text = scraped();
    assertTrue(text.contains("promhttp_metric_handler_errors_total{cause=\"gathering\"} 1\n"), text);
    assertTrue(text.contains("promhttp_metric_handler_requests_total{code=\"500\"} 1\n"), text);
    stop();
    String log = setup.shown();
    assertTrue(log.contains("\"Failed to collect metrics\"") && log.contains(
        "\"_error\":\"java.lang.IllegalStateException: a bug\""), log);
  }
}
