package portcullis.serve.console;

import java.util.List;
import portcullis.lang.markup.Html;
import portcullis.observe.metrics.Registry;

/** The page of what happens now: decisions by rule. Thread safe. */
public final class NowPage implements ConsolePage {
  private final Registry registry;

  public NowPage(Registry registry) {
    this.registry = registry;
  }

  @Override
  public String name() {
    return "";
  }

  @Override
  public String title() {
    return "Now";
  }

  @Override
  public ConsoleContent render(ConsoleVisit visit) {
    return visit.rest().isEmpty()
        ? ConsoleContent.page(title(), Html.of("<h1>Now</h1>{}", rules(RuleCounts.of(registry))))
        : ConsoleContent.missing("The console has no such page.");
  }

  private static Html rules(List<RuleCounts> rules) {
    if (rules.isEmpty()) {
      return Html.of("<p class=\"empty\">No request has been decided yet.</p>");
    }
    return Html.of("""
        <h2 id="rules">By rule</h2>
        <div class="scroll" role="region" aria-labelledby="rules" tabindex="0"><table>
        <thead><tr><th scope="col">Rule</th><th scope="col">Rule set</th>
        <th scope="col" class="number">Allowed</th><th scope="col" class="number">Denied</th></tr></thead>
        <tbody>{}</tbody></table></div>
        """, Html.join(rules.stream().map(NowPage::row).toList()));
  }

  private static Html row(RuleCounts counts) {
    return Html.of("<tr><th scope=\"row\">{}</th><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>"
        + "</tr>\n", counts.rule().isEmpty() ? "no rule" : counts.rule(), counts.ruleSet(), counts.allowed(),
        counts.denied());
  }
}
