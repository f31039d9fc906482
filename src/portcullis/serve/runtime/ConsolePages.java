package portcullis.serve.runtime;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import portcullis.observe.metrics.Registry;
import portcullis.observe.telemetry.Log;
import portcullis.serve.console.ChangeMemory;
import portcullis.serve.console.ChangesPage;
import portcullis.serve.console.ConsolePage;
import portcullis.serve.console.FleetPage;
import portcullis.serve.console.NowPage;
import portcullis.serve.console.RefusalsPage;
import portcullis.serve.console.RequestTrial;
import portcullis.serve.console.RulesPage;
import portcullis.serve.console.ServicesPage;
import portcullis.serve.console.Traffic;
import portcullis.serve.console.TryPage;
import portcullis.serve.feed.DecisionFeed;
import portcullis.serve.service.ListenerSettings;
import portcullis.serve.service.StatusSource;

/** The pages of the console, in the order of its navigation. */
final class ConsolePages {
  private ConsolePages() {}

  private static Optional<Path> coverage(Program program) {
    return program.settings().management().get(ListenerSettings.CONSOLE).coverageFile()
        .map(file -> Path.of(file.text()));
  }

  static List<ConsolePage> of(Traffic traffic, DecisionFeed feed, Registry registry, Program program,
      StatusSource status, ChangeMemory changes, RequestTrial trial, InstantSource clock, Log log) {
    return List.of(new NowPage(traffic, status), new RefusalsPage(feed),
        new RulesPage(program.reloader()::snapshot, status, registry, coverage(program)), new TryPage(trial, log),
        new ServicesPage(status, registry, clock),
        new ChangesPage(status, changes, () -> program.latest().digest()), new FleetPage(status));
  }
}
