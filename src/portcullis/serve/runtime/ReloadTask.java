package portcullis.serve.runtime;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import portcullis.background.BackgroundTask;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;
import portcullis.observe.telemetry.Log;

/**
 * Reloads the configuration, on request or when its file changes, and keys when their files change, as far as
 * configured. A reload is applied as a whole or not at all: a change that requires a restart, or a key store that
 * cannot be used, rejects it. One thread, ended by {@link #close}.
 */
final class ReloadTask implements AutoCloseable {
  /** The sections that a reload applies; a change of anything else requires a restart. */
  private static final Set<String> RELOADABLE = Set.of("version", "mechanisms", "default_rule", "providers", "watch",
      "secrets_reload_enabled", "serve.readings");
  private static final Duration LOOK = Duration.ofMillis(250);
  private static final Duration RETRY = Duration.ofSeconds(5);

  /** The reasons for a reload. */
  private enum Cause {
    REQUESTED, RULES_CHANGED
  }

  private final Program program;
  private final Optional<ConfigurationFile> configuration;
  private final Log log;
  private final BlockingQueue<Cause> causes = new LinkedBlockingQueue<>();
  private final FileChanges configurations = new FileChanges(InstantSource.system());
  private final FileChanges secrets = new FileChanges(InstantSource.system());
  private final BackgroundTask task = new BackgroundTask(Thread.ofVirtual().name("reload"), this::round);
  private final KeyFiles keys;
  private final ServiceManager manager;
  private List<String> refusal = List.of();
  private boolean keysRequested;
  private long retried = System.nanoTime();

  /**
   * @param configuration empty where it cannot change
   * @param manager notified of reloads
   */
  ReloadTask(Program program, Optional<ConfigurationFile> configuration, ServiceManager manager, Log log) {
    this.manager = manager;
    this.program = program;
    this.configuration = configuration;
    this.log = log;
    this.keys = new KeyFiles(program, log);
  }

  /**
   * Records the state of the files: what changes from now on is noticed once it watches.
   *
   * @return the digests of the files of keys and users
   */
  Value know() {
    look();
    keys.know();
    return keys.known();
  }

  /** Starts watching, also for changes of the rules. */
  void start() {
    program.watch(() -> causes.add(Cause.RULES_CHANGED));
    task.start();
    configuration.ifPresent(_ -> SighupHandler.take(this::request));
  }

  /** Requests a reload of configuration and keys, whether or not they have changed. */
  void request() {
    causes.add(Cause.REQUESTED);
  }

  private boolean round() throws InterruptedException {
    Optional<Cause> cause = Optional.ofNullable(causes.poll(LOOK.toMillis(), TimeUnit.MILLISECONDS));
    if (cause.filter(Cause.REQUESTED::equals).isPresent()) {
      log.info("Configuration reload requested");
      keysRequested = true;
      refusal = List.of(); // an operator who asks again gets the reasons again
      program.reloader().reportAgain();
      read("signal");
    } else if (cause.isPresent() && !refusal.isEmpty()) {
      read("rules"); // what the rules lacked, or had too much, they may have now
    } else {
      look();
    }
    if (System.nanoTime() - retried > RETRY.toNanos()) {
      retried = System.nanoTime();
      program.retryBlocked();
    }
    return true;
  }

  /** Polls the files even if changes are not applied, so that it is known what has changed once they are. */
  private void look() {
    boolean isNew = !configurations.changed(file()).isEmpty();
    if (isNew && program.latest().watch()) {
      read("watch");
    }
    List<Path> changed = secrets.changed(keys.all());
    keys.renew(changed, program.latest().secretsReload());
  }

  private List<Path> file() {
    return configuration.flatMap(ConfigurationFile::path).stream().toList();
  }

  /** @param by what caused it */
  private void read(String by) {
    manager.reloading();
    String outcome = "reload failed";
    try {
      outcome = reload(by);
    } finally {
      manager.reloaded(outcome);
    }
  }

  /** Reloads, and returns the outcome in one line. */
  private String reload(String by) {
    configurations.know(file());
    Problems problems = new Problems();
    Optional<Settings> next = configuration.flatMap(c -> c.settings(problems));
    next.ifPresent(settings -> requireReloadable(settings, problems));
    next.ifPresent(settings -> CertificateChecks.check(settings, true, problems));
    Runnable renewal = keysRequested ? keys.prepared(problems) : () -> {};
    boolean applied = next.isPresent() && program.reload(next.get(), by, problems);
    boolean wasRefused = program.loadHistory().configuration().filter(before -> !before.applied()).isPresent();
    program.loadHistory().configuration(applied, problems);
    List<String> messages = problems.sorted().stream().filter(p -> p.isError() != applied).map(Problem::text).toList();
    String file = file().stream().map(Path::toString).findFirst().orElse("");
    if (applied) {
      renewal.run();
      keysRequested = false;
      messages.forEach(log::warn);
      if (wasRefused) {
        log.notice("Configuration reloaded", "_file", file);
      } else {
        log.info("Configuration reloaded", "_file", file);
      }
    } else if (!messages.equals(refusal)) {
      messages.forEach(problem -> log.error("Configuration reload failed", "_file", file, "_error", problem));
      program.audit().note(ChangeEvents.refusedReload(by, next, messages));
    }
    refusal = applied ? List.of() : messages;
    return applied ? "reloaded " + file + rejected() : "reload of " + file + " failed: " + String.join("; ", messages);
  }

  /** Returns which rule sets are not in use as they are written, for a status line. */
  private String rejected() {
    return program.loadHistory().problems().stream().map(problem -> "; " + problem.text())
        .collect(Collectors.joining());
  }

  private void requireReloadable(Settings next, Problems problems) {
    for (Differences.Difference one : Differences.between(program.settings().written(), next.written(), RELOADABLE)) {
      problems.error(one.at(), one.path(), "a change of this requires a restart; nothing was reloaded",
          "restart, or take the change back");
    }
  }

  @Override
  public void close() {
    task.close();
  }
}
