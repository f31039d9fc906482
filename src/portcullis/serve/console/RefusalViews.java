package portcullis.serve.console;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import portcullis.lang.markup.Html;
import portcullis.serve.feed.DecidedStep;
import portcullis.serve.feed.DecisionFeed;
import portcullis.serve.feed.FeedEntry;
import portcullis.serve.feed.FeedFilter;

/** What pages show of refusals. */
final class RefusalViews {
  private static final int LONGEST_REASON = 140;

  private RefusalViews() {}

  /** @param all the number of refusals since the start */
  static Html list(FeedFilter filter, List<FeedEntry> entries, long all) {
    Html found = entries.isEmpty()
        ? Html.of("<p class=\"empty\">{}</p>", all == 0 ? "No request has been refused since the start."
            : "None of the refusals that are kept fits the filter.")
        : table(entries);
    String kept = all > DecisionFeed.KEPT ? "The last " + DecisionFeed.KEPT + " of " + "%,d".formatted(all)
        + " refusals since the start" : "All " + all + " refusals since the start";
    String shown = filter.isEmpty() ? kept + ", the newest first."
        : entries.size() + " of these: "
            + kept.substring(0, 1).toLowerCase(Locale.ROOT) + kept.substring(1) + ".";
    return Html.of("<h1>Refusals</h1>{}<p class=\"soft\">{}</p>{}", form(filter), shown, found);
  }

  private static Html form(FeedFilter filter) {
    Html clear = filter.isEmpty() ? Html.NONE : Html.of("<a class=\"button\" href=\"/console/refusals\">Show all</a>");
    return Html.of("""
        <form class="filter" method="get" action="/console/refusals" role="search" aria-label="Filter refusals">
        {}{}{}{}
        <div class="actions"><button>Filter</button>{}</div>
        </form>
        """, field("subject", "Subject", filter.subject()), field("path", "Part of host or path", filter.path()),
        field("rule", "Rule or rule set", filter.rule()), field("request", "Request or trace id", filter.request()),
        clear);
  }

  private static Html field(String name, String label, String value) {
    return Html.of("<label>{}<input name=\"{}\" value=\"{}\" autocomplete=\"off\" spellcheck=\"false\"></label>",
        label, name, value);
  }

  private static Html table(List<FeedEntry> entries) {
    return Html.of("""
        <div class="scroll"><table class="stack" aria-label="Refusals">
        <thead><tr><th scope="col">Time (UTC)</th><th scope="col">Answer</th><th scope="col">Request</th>
        <th scope="col">Rule</th><th scope="col">Step</th><th scope="col">Reason</th>
        <th scope="col">Subject</th></tr></thead>
        <tbody>{}</tbody></table></div>
        """, Html.join(entries.stream().map(RefusalViews::row).toList()));
  }

  private static Html row(FeedEntry entry) {
    return Html.of("""
        <tr><td class="nowrap">{}</td><td class="brief">{}</td>
        <th scope="row"><a href="/console/refusals/{}">{} {}{}</a></th><td data-label="Rule">{}</td>
        <td data-label="Step">{}</td><td data-label="Reason">{}</td><td data-label="Subject">{}</td></tr>
        """, Figures.clock(entry.time()), status(entry), entry.number(), entry.method(), entry.host(), entry.path(),
        entry.rule(), entry.step(), shortened(entry.reason()), entry.subject());
  }

  private static Html status(FeedEntry entry) {
    return Html.of("<span class=\"status bad\">{}</span>", entry.answer());
  }

  private static String shortened(String reason) {
    return reason.length() <= LONGEST_REASON ? reason : reason.substring(0, LONGEST_REASON - 1) + "…";
  }

  static Html detail(FeedEntry entry) {
    List<Html> facts = new ArrayList<>();
    fact(facts, "Reason", Html.of("{}", entry.reason()));
    fact(facts, "Rule", rule(entry));
    fact(facts, "Written at", code(entry.at()));
    fact(facts, "Failed step", code(entry.step()));
    fact(facts, "Kind of error", code(entry.error()));
    fact(facts, "Subject", entry.subject().isEmpty() ? Html.of("<span class=\"soft\">not known</span>")
        : Html.of("{} · <a href=\"{}\">all of this subject</a>", entry.subject(), search("subject", entry.subject())));
    fact(facts, "Client", code(entry.client()));
    fact(facts, "Time", Figures.date(entry.time()));
    fact(facts, "Took", Html.of("{}", Figures.duration(entry.nanos() / 1e9)));
    fact(facts, "Request id", code(entry.requestId()));
    fact(facts, "Trace id", code(entry.trace()));
    return Html.of("""
        <p><a href="/console/refusals">All refusals</a></p>
        <h1>{} {} {}{}</h1>
        <dl class="facts">{}</dl>{}
        """, status(entry), entry.method(), entry.host(), entry.path(), Html.join(facts), steps(entry.steps()));
  }

  private static void fact(List<Html> facts, String name, Html value) {
    if (!value.markup().isEmpty()) {
      facts.add(Html.of("<dt>{}</dt><dd>{}</dd>", name, value));
    }
  }

  private static Html code(String text) {
    return text.isEmpty() ? Html.NONE : Html.of("<code>{}</code>", text);
  }

  private static Html rule(FeedEntry entry) {
    return entry.rule().isEmpty() ? Html.of("<span class=\"soft\">no rule was chosen</span>")
        : Html.of("<code>{}</code> of {} · <a href=\"{}\">all of this rule</a>", entry.rule(), entry.ruleSet(),
            search("rule", entry.rule()));
  }

  private static String search(String name, String value) {
    return "/console/refusals?" + name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  private static Html steps(List<DecidedStep> steps) {
    if (steps.isEmpty()) {
      return Html.of("<h2>Steps</h2><p class=\"empty\">It was refused before any step.</p>");
    }
    return Html.of("""
        <h2 id="steps">Steps</h2>
        <div class="scroll"><table class="stack" aria-labelledby="steps">
        <thead><tr><th scope="col">Step</th><th scope="col">Mechanism</th><th scope="col">Outcome</th>
        <th scope="col">Reason</th><th scope="col" class="number">Time</th></tr></thead>
        <tbody>{}</tbody></table></div>
        """, Html.join(steps.stream().map(RefusalViews::step).toList()));
  }

  private static Html step(DecidedStep step) {
    String style = switch (step.outcome()) {
      case "passed" -> "good";
      case "skipped" -> "soft";
      case "forgiven" -> "warn";
      default -> "bad";
    };
    return Html.of("""
        <tr><th scope="row"><code>{}</code></th><td class="soft">{}, {}</td><td class="brief {}">{}</td>
        <td data-label="Reason">{}</td><td data-label="Time" class="number">{}</td></tr>
        """, step.id(), step.kind().replace('_', ' '), step.type(), style, step.outcome(), step.reason(),
        Figures.duration(step.nanos() / 1e9));
  }
}
