package portcullis.serve.runtime;

import java.util.List;
import portcullis.observe.metrics.Registry;
import portcullis.serve.console.ConsolePage;
import portcullis.serve.console.NowPage;

/** The pages of the console, in the order of its navigation. */
final class ConsolePages {
  private ConsolePages() {}

  static List<ConsolePage> of(Registry registry) {
    return List.of(new NowPage(registry));
  }
}
