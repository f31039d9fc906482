package portcullis.serve.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.http.message.Response;
import portcullis.observe.metrics.Histogram;
import portcullis.observe.metrics.Instrument;
import portcullis.observe.metrics.Registry;

final class NowPageTest {
  private final Registry registry = new Registry();
  private final Instrument<Histogram> durations = registry.histogram("http.server.request.duration", "s", "",
      Registry.SHORT_TIMES, "service.subsystem", "http.response.status_code");
  private final Instrument<LongAdder> decisions = registry.counter("portcullis.rule.decisions", "", "", "ruleset.id",
      "rule.id", "rule.decision");
  private Instant now = Instant.parse("2030-01-02T03:04:05Z");
  private final Traffic traffic = new Traffic(registry, () -> now);
  private final NowPage page = new NowPage(traffic, PageStatus.EMPTY);

  private void request(String service, int status, double seconds, String rule) {
    durations.of(service, status).record(seconds);
    if (!rule.isEmpty()) {
      decisions.of("file_system:shop", rule, status < 400 ? "allowed" : "denied").increment();
    }
  }

  private void pass(Duration time) {
    for (Duration left = time; !left.isZero(); left = left.minus(Traffic.INTERVAL)) {
      now = now.plus(Traffic.INTERVAL);
      traffic.sample();
    }
  }

  private String html() {
    return new NowView(traffic.now()).html().markup();
  }

  @Test
  void whatIsToBeFixedIsAboveTheFigures() {
    String shown = ((ConsoleContent.Page) page.render(visit(""))).main().markup();
    assertTrue(shown.indexOf("the disk is full") > 0, shown);
    assertTrue(shown.indexOf("the disk is full") < shown.indexOf("data-live"), "events replace the figures only");
  }

  @Test
  void numbersAreThoseOfTheMetrics() {
    request("proxy", 200, 0.0007, "open");
    request("proxy", 403, 0.002, "shut");
    request("proxy", 502, 0.2, "");
    request("management", 200, 9, "");
    Map<String, Object> all = Map.of("requests", 3L, "allowed", 1L, "denied", 1L, "errors", 1L);
    String json = new String(((ConsoleContent.Document) page.render(visit("data"))).response().body(),
        StandardCharsets.UTF_8);
    all.forEach((name, total) -> assertTrue(json.matches(".*\"" + name + "\":\\{\"per_second\":[^}]*\"total\":" + total
        + "}.*"), json));
    assertTrue(html().contains("<data value=\"3\">3</data> since the start"), html());
  }

  private static ConsoleVisit visit(String rest) {
    return new ConsoleVisit(null, rest, Map.of(), false, "");
  }

  @Test
  void ratesAreOfTheLastMoments() {
    pass(Duration.ofSeconds(20));
    for (int i = 0; i < 50; i++) {
      request("decision", 200, 0.001, "open");
    }
    pass(Duration.ofSeconds(10));
    assertTrue(html().contains("<dt>Allowed</dt><dd>5.0/s"), html());
    pass(Duration.ofSeconds(10));
    assertTrue(html().contains("<dt>Allowed</dt><dd>0/s"), html());
  }

  @Test
  void latencyIsThatOfTheLastMinute() {
    request("proxy", 200, 4, "open");
    pass(Duration.ofSeconds(62));
    for (int i = 0; i < 100; i++) {
      request("proxy", 200, 0.0009, "open");
    }
    pass(Duration.ofSeconds(2));
    TrafficSample last = traffic.now().last();
    assertEquals(0.000875, last.quantile(0.5, traffic.now().before(Duration.ofMinutes(1))), 1e-9);
    assertTrue(Double.isNaN(last.quantile(0.5, last)));
  }

  @Test
  void historyIsBounded() {
    pass(Duration.ofMinutes(20));
    assertEquals(Traffic.SAMPLES + 1, traffic.now().samples().size());
  }

  @Test
  void slowReadersGetTheNewestEventOnly() throws Exception {
    EventSource reader = ((ConsoleContent.Events) page.render(visit("events"))).source().get();
    assertTrue(event(reader).orElseThrow().contains("<data value=\"0\">"));
    assertEquals(Optional.empty(), event(reader), "nothing new");
    for (int i = 0; i < 5; i++) {
      request("proxy", 200, 0.001, "open");
      pass(Traffic.INTERVAL);
    }
    assertTrue(event(reader).orElseThrow().contains("<data value=\"5\">5</data>"));
    assertEquals(Optional.empty(), event(reader), "the four before are skipped");
  }

  private static Optional<String> event(EventSource reader) throws InterruptedException {
    return reader.next(Duration.ofMillis(1)).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
  }

  @Test
  void readersShareOneEvent() throws Exception {
    List<EventSource> readers = List.of(((ConsoleContent.Events) page.render(visit("events"))).source().get(),
        ((ConsoleContent.Events) page.render(visit("events"))).source().get());
    byte[] first = readers.getFirst().next(Duration.ofMillis(1)).orElseThrow();
    assertTrue(first == readers.getLast().next(Duration.ofMillis(1)).orElseThrow());
  }

  @Test
  void namesOfRulesAreText() {
    request("proxy", 403, 0.001, "<b>\"&");
    assertTrue(html().contains("&lt;b&gt;&quot;&amp;"), html());
    assertTrue(html().contains("/console/refusals?rule=%3Cb%3E%22%26"), html());
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "0.3, 0.5", "1, 1", "1.1, 2", "4, 5", "6, 10", "0.0003, 0.0005"})
  void scalesEndAtRoundNumbers(double highest, double top) {
    assertEquals(top, Chart.niceTop(highest), top * 1e-9);
  }

  @Test
  void otherPathsAreMissing() {
    assertEquals(404, ((ConsoleContent.Page) page.render(visit("none"))).status());
    assertEquals(200, ((ConsoleContent.Page) page.render(visit(""))).status());
    Response data = ((ConsoleContent.Document) page.render(visit("data"))).response();
    assertEquals("application/json", data.fields().joined("Content-Type").orElse(""));
  }
}
