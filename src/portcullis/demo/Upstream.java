package portcullis.demo;

import java.util.List;
import java.util.Optional;
import portcullis.crypto.keys.KeyEntry;
import portcullis.http.message.Accept;
import portcullis.http.message.Response;

/**
 * The service behind the proxy. It responds to every request by showing it: to browsers as a page, to others as JSON.
 */
final class Upstream implements Site.Pages {
  private static final String HTML = "text/html";
  private static final String JSON = "application/json";

  private final KeyEntry proxyKey;
  private final Guide guide;
  private final Insight insight;

  /** @param proxyKey verifies the tokens that are trusted */
  Upstream(KeyEntry proxyKey, Guide guide, Insight insight) {
    this.insight = insight;
    this.proxyKey = proxyKey;
    this.guide = guide;
  }

  @Override
  public Response answer(Visit visit) {
    Arrived arrived = Arrived.of(visit, proxyKey);
    Optional<String> form = Accept.best(List.of(JSON, HTML), visit.fields());
    return form.equals(Optional.of(HTML)) ? new PageView(arrived, guide, insight).answer()
        : Response.of(200, JSON, JsonView.of(arrived, insight)).with("Cache-Control", "no-store");
  }
}
