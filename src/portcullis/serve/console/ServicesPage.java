package portcullis.serve.console;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import portcullis.lang.markup.Html;
import portcullis.observe.metrics.Registry;
import portcullis.serve.service.StatusReport;
import portcullis.serve.service.StatusSource;

/** The page of what the program works with: remote services, caches, keys and certificates. Thread safe. */
public final class ServicesPage implements ConsolePage {
  private static final Duration SOON = Duration.ofDays(30);

  private static final Set<String> NUMBERS = Set.of("Failures in a row", "Calls", "Failed", "Mean time", "Entries",
      "Size");
  private static final Comparator<StatusReport.Breaker> WORST_FIRST = Comparator
      .comparing((StatusReport.Breaker one) -> one.openSince().isEmpty())
      .thenComparing(StatusReport.Breaker::failuresInARow, Comparator.reverseOrder())
      .thenComparing(StatusReport.Breaker::service);

  private final StatusSource status;
  private final Registry registry;
  private final InstantSource clock;

  /** @param registry measures calls of remote services */
  public ServicesPage(StatusSource status, Registry registry, InstantSource clock) {
    this.status = status;
    this.registry = registry;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "services";
  }

  @Override
  public String title() {
    return "Services";
  }

  @Override
  public ConsoleContent render(ConsoleVisit visit) {
    if (!visit.rest().isEmpty()) {
      return ConsoleContent.missing("The console has no such page.");
    }
    StatusReport report = status.report();
    return ConsoleContent.page(title(), Html.of("<h1>Services</h1>{}{}{}{}{}", problems(report), breakers(report),
        calls(), caches(report), keys(report)));
  }

  /** Returns what an operator has to fix, as the status has it. */
  static Html problems(StatusReport report) {
    return Html.join(report.problems().stream()
        .map(one -> Html.of("<p class=\"note bad\">Since {}: {}</p>", Times.shown(one.since()), one.text())).toList());
  }

  private Html breakers(StatusReport report) {
    if (report.breakers().isEmpty()) {
      return Html
          .of("<h2>Remote services</h2><p class=\"empty\">No remote service of a mechanism has been called.</p>");
    }
    return table("services", "Remote services", List.of("Service", "Circuit breaker", "Failures in a row"),
        report.breakers().stream().sorted(WORST_FIRST).map(one -> Html.of("""
            <tr><th scope="row">{}</th><td data-label="Circuit breaker">{}</td>
            <td class="number" data-label="Failures in a row">{}</td></tr>
            """, one.service(), one.openSince().map(since -> Html.of("<span class=\"bad\">open since {}</span>",
            Times.shown(since)))
            .orElseGet(() -> one.failuresInARow() == 0 ? Html.of("<span class=\"good\">closed</span>")
                : Html.of("<span class=\"warn\">closed, the last calls failed</span>")),
            one.failuresInARow())).toList());
  }

  private Html calls() {
    List<CallCounts> all = CallCounts.of(registry);
    return all.isEmpty() ? Html.NONE
        : table("calls", "Calls of upstreams and remote services since the start",
            List.of("Server", "Calls", "Failed", "Mean time"), all.stream().map(one -> Html.of("""
                <tr><th scope="row">{}</th><td class="number" data-label="Calls">{}</td>
                <td class="number" data-label="Failed"><span class="{}">{}</span></td>
                <td class="number" data-label="Mean time">{} ms</td></tr>
                """, one.server(), one.calls(), one.failed() == 0 ? "" : "bad", one.failed(),
                String.format(Locale.ROOT, "%.2f", one.meanMilliseconds()))).toList());
  }

  private static Html caches(StatusReport report) {
    if (report.caches().isEmpty()) {
      return Html.of("<h2>Caches</h2><p class=\"empty\">No cache in memory is in use.</p>");
    }
    return table("caches", "Caches", List.of("Cache", "Entries", "Size"),
        report.caches().stream().map(one -> Html.of("""
            <tr><th scope="row">{}</th><td class="number" data-label="Entries">{}</td>
            <td class="number" data-label="Size">{} KB</td></tr>
            """, one.type(), one.entries(), (one.bytes() + 1023) / 1024)).toList());
  }

  private Html keys(StatusReport report) {
    List<Html> rows = report.keyStores().stream()
        .flatMap(store -> store.keys().stream().map(key -> row(store, key))).toList();
    return rows.isEmpty() ? Html.of("<h2>Keys and certificates</h2><p class=\"empty\">No key store is in use.</p>")
        : table("keys", "Keys and certificates", List.of("File", "Key", "Algorithm", "Certificate"), rows);
  }

  private Html row(StatusReport.KeyStore store, StatusReport.Key key) {
    return Html.of("""
        <tr><th scope="row">{}</th><td data-label="Key">{}</td><td data-label="Algorithm">{}</td>
        <td data-label="Certificate">{}</td></tr>
        """, store.file(), key.id(), key.algorithm(), end(key.expires()));
  }

  private Html end(Optional<Instant> expiry) {
    if (expiry.isEmpty()) {
      return Html.of("<span class=\"soft\">none</span>");
    }
    Duration left = Duration.between(clock.instant(), expiry.get());
    String tone = left.isNegative() ? "bad" : left.compareTo(SOON) < 0 ? "warn" : "good";
    String text = left.isNegative() ? "expired" : "expires in " + Times.text(left);
    return Html.of("<span class=\"{}\">{}</span>, {}", tone, text, Times.shown(expiry.get()));
  }

  private static Html table(String id, String title, List<String> columns, List<Html> rows) {
    return Html.of("""
        <h2 id="{}">{}</h2><div class="scroll" role="region" aria-labelledby="{}" tabindex="0"><table class="stack">
        <thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>
        """, id, title, id,
        Html.join(columns.stream().map(name -> Html.of(NUMBERS.contains(name)
            ? "<th scope=\"col\" class=\"number\">{}</th>"
            : "<th scope=\"col\">{}</th>", name)).toList()),
        Html.join(rows));
  }
}
