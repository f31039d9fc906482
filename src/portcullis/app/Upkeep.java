package portcullis.app;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import portcullis.background.BackgroundTask;
import portcullis.keys.KeyFault;
import portcullis.source.Problem;
import portcullis.source.Problems;
import portcullis.telemetry.Log;

/**
 * Keeps a running program up to date: with its configuration, when it is told to or when the file changes, and with its keys,
 * when their files change, each as far as that is configured. What cannot be taken up leaves all as it was. One thread, ended
 * by {@link #close}.
 */
final class Upkeep implements AutoCloseable {
  /** What counts of a configuration as soon as it is taken; all else counts from the next start on. */
  private static final Set<String> AT_ONCE =
      Set.of("version", "mechanisms", "default_rule", "providers", "watch", "secrets_reload_enabled");
  private static final Duration LOOK = Duration.ofMillis(250);

  /** Why something is to be done. */
  private enum Cause { TOLD, RULES_CHANGED }

  private final Program program;
  private final Optional<ConfigurationFile> configuration;
  private final Log log;
  private final BlockingQueue<Cause> causes = new LinkedBlockingQueue<>();
  private final LookedAt configurations = new LookedAt();
  private final LookedAt secrets = new LookedAt();
  private final BackgroundTask task = new BackgroundTask(Thread.ofVirtual().name("upkeep"), this::round);
  private List<String> refusal = List.of();

  /** @param configuration empty where it cannot change */
  Upkeep(Program program, Optional<ConfigurationFile> configuration, Log log) {
    this.program = program;
    this.configuration = configuration;
    this.log = log;
  }

  /** Begins, with rules too. */
  void start() {
    look();
    program.watch(() -> causes.add(Cause.RULES_CHANGED));
    task.start();
    configuration.ifPresent(_ -> Hangup.take(this::renew));
  }

  /** Reads configuration and keys anew, soon and in any case. */
  void renew() {
    causes.add(Cause.TOLD);
  }

  private boolean round() throws InterruptedException {
    Optional<Cause> cause = Optional.ofNullable(causes.poll(LOOK.toMillis(), TimeUnit.MILLISECONDS));
    if (cause.filter(Cause.TOLD::equals).isPresent()) {
      log.info("Configuration reload requested");
      read();
      keys(secrets());
    } else if (cause.isPresent() && !refusal.isEmpty()) {
      read(); // what the rules lacked, or had too much, they may have now
    } else {
      look();
    }
    return true;
  }

  /** Looks whether or not it matters now, so that it is known what has changed once it does. */
  private void look() {
    boolean isNew = !configurations.changed(file()).isEmpty();
    if (isNew && program.latest().watch()) {
      read();
    }
    List<Path> changed = secrets.changed(secrets());
    keys(program.latest().secretsReload() ? changed : List.of());
  }

  private List<Path> file() {
    return configuration.flatMap(ConfigurationFile::path).stream().toList();
  }

  private void read() {
    configurations.know(file());
    Problems problems = new Problems();
    Optional<Settings> next = configuration.flatMap(c -> c.settings(problems));
    boolean taken = next.isPresent() && program.reload(next.get(), problems);
    program.readings().configuration(taken, problems);
    List<String> told = problems.sorted().stream().filter(p -> p.isError() != taken).map(Problem::text).toList();
    String file = file().stream().map(Path::toString).findFirst().orElse("");
    if (taken) {
      told.forEach(log::warn);
      log.info("Configuration reloaded", "_file", file);
      Differences.between(program.settings().written(), next.get().written(), AT_ONCE).stream().filter(Upkeep::countsLater).forEach(path -> log.warn(
          "Change of the configuration counts from the next start on", "_key", path, "_file", file));
    } else if (!told.equals(refusal)) {
      told.forEach(problem -> log.warn("Configuration reload failed", "_file", file, "_error", problem));
    }
    refusal = taken ? List.of() : told;
  }

  /** Readings belong to the rules, which were read again. */
  private static boolean countsLater(String path) {
    return !path.equals("serve.readings") && !path.startsWith("serve.readings.");
  }

  private List<Path> secrets() {
    List<Path> out = new ArrayList<>(program.tools().keys().files());
    out.addAll(program.tls().files());
    out.addAll(program.tls().trustFiles());
    return out.stream().distinct().toList();
  }

  private void keys(List<Path> files) {
    for (Path file : files) {
      renewed(file, program.tools().keys().files(), "Signer key store", () -> program.tools().keys().reload(file));
      renewed(file, program.tls().files(), "TLS key store", () -> program.tls().renew(file));
      renewed(file, program.tls().trustFiles(), "TLS trust store", () -> program.tls().renewTrust(file));
    }
  }

  /** What a key store is taken up by. */
  private interface Renewal {
    void run() throws KeyFault;
  }

  private void renewed(Path file, List<Path> users, String what, Renewal renewal) {
    if (users.contains(file)) {
      try {
        renewal.run();
        log.info(what + " reloaded", "_file", file);
      } catch (KeyFault e) {
        log.warn(what + " reload failed", "_file", file, "_error", e.getMessage());
      }
    }
  }

  @Override
  public void close() {
    task.close();
  }
}
