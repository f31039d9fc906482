package portcullis.serve.console;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import portcullis.lang.markup.Html;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.observe.decisions.ChainHead;
import portcullis.serve.service.StatusReport;
import portcullis.serve.service.StatusSource;

/** The page of what changed: starts, reloads, rules, keys and locks, digests in use, and the end of the audit chain. */
public final class ChangesPage implements ConsolePage {
  private static final int MOST = 20;
  private static final int SHORT = 12;

  private final StatusSource status;
  private final ChangeMemory changes;
  private final Supplier<String> configuration;

  /** @param configuration returns the digest of the configuration in use */
  public ChangesPage(StatusSource status, ChangeMemory changes, Supplier<String> configuration) {
    this.status = status;
    this.changes = changes;
    this.configuration = configuration;
  }

  @Override
  public String name() {
    return "changes";
  }

  @Override
  public String title() {
    return "Changes";
  }

  @Override
  public ConsoleContent render(ConsoleVisit visit) {
    return visit.rest().isEmpty()
        ? ConsoleContent.page(title(), Html.of("<h1>Changes</h1>{}{}{}", inUse(status.report()), chain(), events()))
        : ConsoleContent.missing("The console has no such page.");
  }

  private Html inUse(StatusReport report) {
    List<Html> rows = new ArrayList<>();
    rows.add(row("Configuration", "", configuration.get(), report.configuration()));
    report.ruleSets().forEach(set -> rows.add(row(set.source(), String.valueOf(set.rules()), set.digest(),
        set.last())));
    return Html.of("""
        <h2 id="use">In use</h2><div class="scroll" role="region" aria-labelledby="use" tabindex="0">
        <table class="stack"><thead><tr><th scope="col">What</th><th scope="col" class="number">Rules</th>
        <th scope="col">SHA-256</th><th scope="col">Last read</th></tr></thead><tbody>{}</tbody></table></div>
        """, Html.join(rows));
  }

  private static Html row(String name, String rules, String digest, StatusReport.Reading last) {
    Html problems = Html.join(last.problems().stream().limit(MOST)
        .map(problem -> Html.of("<br><span class=\"{}\">{}</span>", last.applied() ? "warn" : "bad", problem))
        .toList());
    return Html.of("""
        <tr><th scope="row">{}</th><td class="number" data-label="Rules">{}</td>
        <td data-label="SHA-256"><code>{}</code></td><td data-label="Last read">{}, {}{}</td></tr>
        """, name, rules, digest.isEmpty() ? "none" : digest, Times.shown(last.at()),
        last.applied() ? Html.of("<span class=\"good\">applied</span>")
            : Html.of("<span class=\"bad\">rejected: what was read before stays in use</span>"),
        problems);
  }

  private Html chain() {
    Optional<ChainHead> head = changes.head();
    return Html.of("<h2>Audit chain</h2>{}", head.isEmpty()
        ? Html.of("<p class=\"soft\">There is none: decision_log.audit makes one.</p>")
        : Html.of("""
            <div class="card"><dl class="facts"><dt>Last line</dt><dd>{}</dd>
            <dt>Its SHA-256</dt><dd><code>{}</code></dd><dt>Not signed yet</dt><dd>{} lines</dd>
            <dt>Chain</dt><dd>{}</dd><dt>Signed by key</dt><dd>{}</dd></dl></div>
            """, head.get().number(), head.get().hash(), head.get().uncovered(), head.get().chain(),
            head.get().key()));
  }

  private Html events() {
    List<ChangeMemory.Entry> all = changes.entries();
    return all.isEmpty() ? Html.NONE
        : Html.of("""
            <h2 id="changes">Since the start</h2>
            <div class="scroll" role="region" aria-labelledby="changes" tabindex="0"><table class="stack">
            <thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">By</th>
            <th scope="col">Details</th></tr></thead><tbody>{}</tbody></table></div>
            """, Html.join(all.stream().map(ChangesPage::row).toList()));
  }

  private static Html row(ChangeMemory.Entry entry) {
    List<Html> details = new ArrayList<>();
    entry.rules().ifPresent(rules -> {
      list("added", "good", rules.added(), details);
      list("changed", "warn", rules.changed(), details);
      list("removed", "bad", rules.removed(), details);
      if (rules.isEmpty()) {
        details.add(Html.of("<li>no rule differs</li>"));
      }
    });
    entry.event().details().forEach((name, value) -> detail(name, value, details));
    return Html.of("""
        <tr><th scope="row">{}</th><td data-label="What">{}</td><td data-label="By">{}</td>
        <td data-label="Details"><ul class="plain">{}</ul></td></tr>
        """, Times.shown(entry.at()), entry.event().kind().replace('_', ' '), entry.event().by(), Html.join(details));
  }

  private static void list(String what, String tone, List<String> rules, List<Html> out) {
    rules.stream().limit(MOST)
        .forEach(rule -> out.add(Html.of("<li><span class=\"{}\">{}</span> {}</li>", tone, what, rule)));
    if (rules.size() > MOST) {
      out.add(Html.of("<li><span class=\"{}\">{}</span> {} more rules</li>", tone, what, rules.size() - MOST));
    }
  }

  private static void detail(String name, Value value, List<Html> out) {
    switch (value) {
      case Value.Array list when list.items().isEmpty() -> {
      }
      case Value.Array list -> list.items().stream().limit(MOST).forEach(one -> detail(name, one, out));
      case Value.Dict set when set.get("counter").isPresent() ->
        out.add(Html.of("<li>{} {}: counter {} → {}</li>", name.replace('_', ' '), plain(set, "rule_set"),
            JsonText.plain(set.get("counter_before").orElse(Value.NULL)),
            JsonText.plain(set.get("counter").orElse(Value.NULL))));
      case Value.Dict set when set.get("rule_set").isPresent() ->
        out.add(Html.of("<li>rule set {}: <code>{}</code> → <code>{}</code></li>", plain(set, "rule_set"),
            digest(plain(set, "sha256_before")), digest(plain(set, "sha256"))));
      case Value.Str text when text.value().isEmpty() -> {
      }
      case Value.Str text when name.contains("sha256") ->
        out.add(Html.of("<li>{}: <code>{}</code></li>", name.replace('_', ' '), digest(text.value())));
      case Value.Str text -> out.add(Html.of("<li>{}: {}</li>", name.replace('_', ' '), text.value()));
      case Value other -> out.add(Html.of("<li>{}: {}</li>", name.replace('_', ' '), JsonText.plain(other)));
    }
  }

  private static String plain(Value.Dict object, String name) {
    return object.get(name).orElse(Value.NULL) instanceof Value.Str text ? text.value() : "";
  }

  private static String digest(String whole) {
    return whole.isEmpty() ? "none" : whole.substring(0, Math.min(SHORT, whole.length()));
  }
}
