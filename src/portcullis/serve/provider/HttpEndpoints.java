package portcullis.serve.provider;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import portcullis.background.BackgroundTask;
import portcullis.observe.telemetry.Log;
import portcullis.policy.endpoint.EndpointClient;

/**
 * Fetches rule sets from endpoints, each independently: at once, with growing pauses until the first response, and then
 * after each interval, if one is configured. If an endpoint fails, its rules stay in use; they are removed if it
 * responds that there are none: 404, 410 or an empty body. One thread for each endpoint, ended by {@link #close}.
 */
public final class HttpEndpoints implements AutoCloseable {
  private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
  /** The maximum size of a rule set: thousands of rules are legitimate, and the operator names the endpoint. */
  private static final int MOST_BYTES = 10 << 20;
  /** The maximum time that readiness waits for the first rule sets of all endpoints. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final List<RemoteRules> sets;
  private final Set<RemoteRules> pending = ConcurrentHashMap.newKeySet();
  private final Duration pause;
  private final Duration patience;
  private final long created = System.nanoTime();
  private final Duration interval;
  private final EndpointClient caller;
  private final Log log;
  private final List<BackgroundTask> pollers = new ArrayList<>();

  public HttpEndpoints(Providers.Remote settings, EndpointClient caller, Log log) {
    this(settings, caller, log, SHORTEST_PAUSE, PATIENCE);
  }

  /**
   * @param pause the pause after the first failure
   * @param patience how long readiness waits for endpoints that fail
   */
  HttpEndpoints(Providers.Remote settings, EndpointClient caller, Log log, Duration pause, Duration patience) {
    this.sets = RemoteRules.all(settings);
    this.pending.addAll(sets);
    this.pause = pause;
    this.patience = patience;
    this.interval = settings.interval();
    this.caller = caller.upTo(MOST_BYTES);
    this.log = log;
  }

  /** Returns the names of the rule sets. */
  public List<String> sources() {
    return sets.stream().map(RemoteRules::source).toList();
  }

  /** Returns whether some endpoints have not been fetched yet; false after a while, as some never can be. */
  public boolean begins() {
    return !pending.isEmpty() && System.nanoTime() - created < patience.toNanos();
  }

  /** Starts to fetch, and to report rule sets and their changes. */
  public void watch(Consumer<List<Change>> listener) {
    sets.forEach(set -> pollers.add(
        BackgroundTask.start(Thread.ofVirtual().name("rules of " + set.name()), new Poller(set, listener)::round)));
  }

  /** Requests one endpoint again and again; for its thread. */
  private final class Poller {
    private final RemoteRules set;
    private final Consumer<List<Change>> listener;
    private Optional<Change> last = Optional.empty();
    private Duration wait = pause;

    Poller(RemoteRules set, Consumer<List<Change>> listener) {
      this.set = set;
      this.listener = listener;
    }

    boolean round() throws InterruptedException {
      last = fetched(set, last, listener);
      if (last.isPresent()) {
        pending.remove(set);
      }
      if (last.isPresent() && interval.isZero()) {
        return false;
      }
      Thread.sleep(last.isEmpty() ? shorter(wait, interval) : interval);
      wait = wait.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? wait.multipliedBy(2) : LONGEST_PAUSE;
      return true;
    }
  }

  private static Duration shorter(Duration wait, Duration interval) {
    return interval.isZero() || wait.compareTo(interval) < 0 ? wait : interval;
  }

  /** Fetches once; returns the last good response. */
  private Optional<Change> fetched(RemoteRules set, Optional<Change> before, Consumer<List<Change>> listener) {
    log.debug("Retrieving rule set", "_endpoint", set.name());
    try {
      Optional<Change> now = Optional.of(set.fetched(caller));
      log.resolved(problem(set), "Rule set can be fetched again", "_endpoint", set.name());
      if (!now.equals(before) && !Thread.currentThread().isInterrupted()) {
        listener.accept(List.of(now.get()));
      }
      return now;
    } catch (RemoteRules.FetchException e) {
      if (!Thread.currentThread().isInterrupted()) {
        log.problem(problem(set), "Failed to fetch rule set", "_endpoint", set.name(), "_error", e.getMessage());
      }
      return before;
    }
  }

  private static String problem(RemoteRules set) {
    return "fetch of " + set.source();
  }

  @Override
  public void close() {
    pending.clear();
    pollers.forEach(BackgroundTask::close);
    sets.forEach(set -> log.ongoing().end(problem(set)));
  }
}
