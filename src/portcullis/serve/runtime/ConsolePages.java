package portcullis.serve.runtime;

import java.util.List;
import portcullis.serve.console.ConsolePage;
import portcullis.serve.console.NowPage;
import portcullis.serve.console.RefusalsPage;
import portcullis.serve.console.Traffic;
import portcullis.serve.feed.DecisionFeed;

/** The pages of the console, in the order of its navigation. */
final class ConsolePages {
  private ConsolePages() {}

  static List<ConsolePage> of(Traffic traffic, DecisionFeed feed) {
    return List.of(new NowPage(traffic), new RefusalsPage(feed));
  }
}
