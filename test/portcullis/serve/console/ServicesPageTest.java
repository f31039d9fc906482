package portcullis.serve.console;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import portcullis.observe.metrics.Histogram;
import portcullis.observe.metrics.Instrument;
import portcullis.observe.metrics.Registry;
import portcullis.serve.service.StatusReport;

class ServicesPageTest {
  private final Registry registry = new Registry();

  private String page(PageStatus status) {
    ServicesPage page = new ServicesPage(status, registry, () -> PageStatus.NOW);
    return ConsoleSetup.text(new ConsoleSetup("[{authenticator: anon}]", List.of(page)).get("/console/services"));
  }

  @Test
  void emptySectionsSayWhy() {
    String text = page(PageStatus.EMPTY);
    assertTrue(text.contains("No remote service of a mechanism has been called."), text);
    assertTrue(text.contains("No key store is in use."), text);
    assertTrue(text.contains("the disk is full"), "problems are shown");
    assertTrue(text.contains("in-memory</th><td class=\"number\" data-label=\"Entries\">3</td>"), text);
  }

  @Test
  void breakersAreOpenOrClosed() {
    String text = page(new PageStatus(Optional.empty(), List.of(),
        List.of(new StatusReport.Breaker("https://a.example", 0, Optional.empty()),
            new StatusReport.Breaker("https://c.example", 3, Optional.empty()),
            new StatusReport.Breaker("https://b.example", 20, Optional.of(PageStatus.NOW)))));
    assertTrue(text.contains("https://a.example</th><td data-label=\"Circuit breaker\"><span class=\"good\">closed"),
        text);
    assertTrue(text.contains("closed, the last calls failed"), text);
    assertTrue(text.indexOf("https://b.example") < text.indexOf("https://c.example")
        && text.indexOf("https://c.example") < text.indexOf("https://a.example"), "the worst first");
    assertTrue(text.contains("<span class=\"bad\">open since <time datetime=\"2030-01-02T03:04:05Z\""), text);
  }

  @Test
  void certificatesShowTheirEnd() {
    List<StatusReport.Key> keys = List.of(
        new StatusReport.Key("late", "ES256", Optional.of(PageStatus.NOW.plus(Duration.ofDays(90)))),
        new StatusReport.Key("soon", "ES256", Optional.of(PageStatus.NOW.plus(Duration.ofDays(3)))),
        new StatusReport.Key("over", "ES256", Optional.of(PageStatus.NOW.minusSeconds(1))));
    String text = page(new PageStatus(Optional.empty(), List.of(new StatusReport.KeyStore("/k.pem", keys)), List.of()));
    assertTrue(text.contains("<span class=\"good\">expires in 90 d 0 h"), text);
    assertTrue(text.contains("<span class=\"warn\">expires in 3 d 0 h"), text);
    assertTrue(text.contains("<span class=\"bad\">expired"), text);
  }

  @Test
  void callsAreThoseOfTheMetrics() {
    Instrument<Histogram> calls = registry.histogram("http.client.request.duration", "s", "d", Registry.SHORT_TIMES,
        "http.response.status_code", "server.address", "server.port", "url.scheme", "error.type");
    calls.of(200, "idp.example", 443, "https", "").recordNanos(2_000_000);
    calls.of(503, "idp.example", 443, "https", "").recordNanos(4_000_000);
    String text = page(PageStatus.EMPTY);
    assertTrue(text.contains("https://idp.example:443</th><td class=\"number\" data-label=\"Calls\">2</td>"), text);
    assertTrue(text.contains("data-label=\"Failed\"><span class=\"bad\">1</span></td>") && text.contains(">3.00 ms<"),
        text);
  }
}
