package portcullis.serve.console;

import java.util.Optional;
import portcullis.lang.markup.Html;
import portcullis.serve.service.StatusReport;
import portcullis.serve.shadow.ShadowReport;

/** Shows what shadow rules would change. */
final class ShadowView {
  private ShadowView() {}

  static Html of(Optional<StatusReport.Shadow> shadow) {
    if (shadow.isEmpty()) {
      return Html.NONE;
    }
    Optional<ShadowReport> report = shadow.get().report();
    return Html.of("<h2 id=\"shadow\">Shadow rules</h2>{}",
        report.map(ShadowView::compared).orElseGet(() -> Html.of("<p class=\"note warn\">Nothing is compared at the "
            + "moment: a shadow rule set is rejected or was not fetched yet.</p>")));
  }

  private static Html compared(ShadowReport report) {
    Html facts = Html.of("""
        <dl class="cards"><div class="card"><dt>Compared</dt><dd>{}<small>since {}</small></dd></div>
        <div class="card"><dt>Newly allowed</dt><dd>{}</dd></div>
        <div class="card"><dt>Newly denied</dt><dd>{}</dd></div>
        <div class="card"><dt>Denied otherwise</dt><dd>{}</dd></div>
        <div class="card"><dt>Undecided</dt><dd>{}</dd></div>
        </dl>
        """, report.decided(), Times.shown(report.since()), report.count(ShadowReport.Change.NEWLY_ALLOWED),
        report.count(ShadowReport.Change.NEWLY_DENIED), report.count(ShadowReport.Change.DENIED_OTHERWISE),
        report.count(ShadowReport.Change.UNDECIDED));
    if (report.groups().isEmpty()) {
      return Html.of("{}<p class=\"empty\">No request would be decided otherwise.</p>", facts);
    }
    return Html.of("""
        {}<div class="scroll" role="region" aria-labelledby="shadow" tabindex="0"><table class="stack">
        <thead><tr><th scope="col">Change</th><th scope="col" class="number">Requests</th><th scope="col">Now</th>
        <th scope="col">By the shadow rules</th><th scope="col">One of them</th></tr></thead><tbody>{}</tbody></table>
        </div>
        """, facts, Html.join(report.groups().stream().map(ShadowView::row).toList()));
  }

  private static Html row(ShadowReport.Group group) {
    String tone = group.change() == ShadowReport.Change.NEWLY_ALLOWED ? "bad" : "warn";
    return Html.of("""
        <tr><th scope="row"><span class="{}">{}</span></th><td class="number" data-label="Requests">{}</td>
        <td data-label="Now">{}</td><td data-label="By the shadow rules">{}</td>
        <td data-label="One of them"><code>{}</code></td></tr>
        """, tone, group.change().key().replace('_', ' '), group.count(), group.before(), group.now(),
        group.request().isEmpty() ? "-" : group.request());
  }
}
