package portcullis.provider;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import portcullis.endpoint.Caller;
import portcullis.telemetry.Log;

/**
 * Rule sets from endpoints, each asked on its own: at once, and again after each interval. An endpoint that fails leaves its
 * rules as they are; they go when it says that there are none: 404, 410, or an empty answer. A thread for each endpoint,
 * ended by {@link #close}.
 */
public final class HttpEndpoints implements AutoCloseable {
  private final List<RemoteRules> sets;
  private final Duration interval;
  private final Caller caller;
  private final Log log;
  private final List<Thread> askers = new ArrayList<>();

  public HttpEndpoints(Providers.Remote settings, Caller caller, Log log) {
    this.sets = RemoteRules.all(settings);
    this.interval = settings.interval();
    this.caller = caller;
    this.log = log;
  }

  /** By what the rule sets are known. */
  public List<String> sources() {
    return sets.stream().map(RemoteRules::source).toList();
  }

  /** Begins to tell what is there, and what changes. */
  public void watch(Consumer<List<Change>> listener) {
    sets.forEach(set -> askers.add(Thread.ofVirtual().name("rules of " + set.url()).start(() -> run(set, listener))));
  }

  private void run(RemoteRules set, Consumer<List<Change>> listener) {
    Optional<Change> told = Optional.empty();
    try {
      do {
        told = asked(set, told, listener);
        Thread.sleep(interval);
      } while (!interval.isZero());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private Optional<Change> asked(RemoteRules set, Optional<Change> told, Consumer<List<Change>> listener) {
    log.debug("Retrieving rule set", "_endpoint", set.url());
    try {
      Change now = set.fetched(caller);
      if (!Optional.of(now).equals(told) && !Thread.currentThread().isInterrupted()) {
        listener.accept(List.of(now));
      }
      return Optional.of(now);
    } catch (RemoteRules.NotHad e) {
      if (!Thread.currentThread().isInterrupted()) {
        log.warn("Failed to fetch rule set", "_endpoint", set.url(), "_error", e.getMessage());
      }
      return told;
    }
  }

  @Override
  public void close() {
    askers.forEach(Thread::interrupt);
  }
}
