package portcullis.serve.console;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import portcullis.lang.markup.Html;
import portcullis.serve.fleet.FleetStatus;
import portcullis.serve.fleet.Member;
import portcullis.serve.fleet.Outage;
import portcullis.serve.service.StatusSource;

/** The page of the instances that share locks with this one, and of what they differ in. Thread safe. */
public final class FleetPage implements ConsolePage {
  private static final int DIGEST_SHOWN = 12;

  private final StatusSource status;

  public FleetPage(StatusSource status) {
    this.status = status;
  }

  @Override
  public String name() {
    return "fleet";
  }

  @Override
  public String title() {
    return "Fleet";
  }

  @Override
  public ConsoleContent render(ConsoleVisit visit) {
    if (!visit.rest().isEmpty()) {
      return ConsoleContent.missing("The console has no such page.");
    }
    return ConsoleContent.page(title(), status.report().live().fleet().map(FleetPage::page)
        .orElseGet(() -> Html.of("<h1>Fleet</h1><p class=\"empty\">This instance is alone: the configuration has no "
            + "section fleet.</p>")));
  }

  private static Html page(FleetStatus fleet) {
    List<Member> all = new ArrayList<>(List.of(fleet.own()));
    all.addAll(fleet.others());
    return Html.of("""
        <h1>Fleet</h1>{}{}
        <h2 id="instances">Instances</h2>
        <div class="scroll" role="region" aria-labelledby="instances" tabindex="0"><table class="stack">
        <thead><tr><th scope="col">Name</th><th scope="col">Version</th><th scope="col">Since</th>
        <th scope="col">Seen</th><th scope="col">Rules</th><th scope="col">Configuration</th>
        <th scope="col">Differs</th></tr></thead><tbody>{}</tbody></table></div>
        """, connection(fleet), drift(fleet), Html.join(all.stream().map(one -> row(fleet, one)).toList()));
  }

  private static Html connection(FleetStatus fleet) {
    if (!fleet.connected()) {
      return Html.of(
          "<p class=\"note bad\">Redis cannot be reached. {} The instances are those that were last seen.</p>",
          fleet.outage() == Outage.DENY ? "Requests that authenticate are answered with 503."
              : "Requests are decided with the locks that this instance knows.");
    }
    return fleet.pending() == 0 ? Html.of("<p>Connected to Redis: locks are shared by all instances.</p>")
        : Html.of("<p class=\"note\">Changes of locks that others do not know yet: {}.</p>", fleet.pending());
  }

  private static Html drift(FleetStatus fleet) {
    return fleet.drift() == 0 ? Html.NONE
        : Html.of("<p class=\"note bad\">Instances that differ from this one: {}.</p>", fleet.drift());
  }

  private static Html row(FleetStatus fleet, Member one) {
    Set<Member.Difference> differences = one.differences(fleet.own());
    String differs = differences.stream().map(Member.Difference::text).collect(Collectors.joining(", "));
    return Html.of("""
        <tr><th scope="row">{}{}</th><td data-label="Version">{}</td><td data-label="Since">{}</td>
        <td data-label="Seen">{}</td><td data-label="Rules"><code>{}</code></td>
        <td data-label="Configuration"><code>{}</code></td><td data-label="Differs"><span class="{}">{}</span></td></tr>
        """, one.name(), one.equals(fleet.own()) ? " (this one)" : "", one.version(), Times.shown(one.since()),
        Times.shown(one.seen()), shown(one.digests().rules()), shown(one.digests().configuration()),
        differences.isEmpty() ? "good" : "bad", differences.isEmpty() ? "no" : differs);
  }

  private static String shown(String digest) {
    return digest.substring(0, Math.min(DIGEST_SHOWN, digest.length()));
  }
}
