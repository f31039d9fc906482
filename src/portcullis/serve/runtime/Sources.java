package portcullis.serve.runtime;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.source.UnreadableFile;
import portcullis.observe.telemetry.Log;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.serve.provider.Change;
import portcullis.serve.provider.FileSystem;
import portcullis.serve.provider.HttpEndpoints;
import portcullis.serve.provider.Providers;
import portcullis.serve.service.LoadHistory;

/** The sources of rule sets of one configuration; reports no changes once it is closed. Thread safe. */
final class Sources implements AutoCloseable {
  private final Providers settings;
  private final Optional<FileSystem> files;
  /** The rule set of a file that the configuration names; empty for a folder. */
  private final Optional<String> file;
  private final Optional<HttpEndpoints> endpoints;
  private final Log log;
  private boolean closed;

  private Sources(Providers settings, Optional<FileSystem> files, Optional<HttpEndpoints> endpoints, Log log) {
    this.settings = settings;
    this.files = files;
    this.file = settings.files().map(one -> one.src().text()).filter(_ -> files.isPresent()).map(Path::of)
        .filter(src -> !Files.isDirectory(src))
        .map(src -> FileSystem.KIND + src.toAbsolutePath().normalize());
    this.endpoints = endpoints;
    this.log = log;
  }

  /** Creates the sources; adds a problem if the files do not exist. */
  static Sources of(Providers settings, MechanismContext context, Problems problems) {
    return new Sources(settings, settings.files().flatMap(f -> files(f, context, problems)),
        settings.remote().map(r -> new HttpEndpoints(r, context.caller(), context.log())), context.log());
  }

  private static Optional<FileSystem> files(Providers.Files settings, MechanismContext context, Problems problems) {
    try {
      Path src = Path.of(settings.src().text());
      if (settings.signature().isPresent() && Files.isDirectory(src)) {
        problems.error(settings.src().at(0, settings.src().text().length()), settings.src().path(),
            "`" + src + "` is a folder", "with `require_signature` it is one file, a signed bundle");
        return Optional.empty();
      }
      if (!settings.src().text().isBlank() && Files.exists(src)) {
        return Optional.of(new FileSystem(src, context.log()));
      }
    } catch (InvalidPathException _) {
      // reported below
    }
    problems.error(settings.src().at(0, settings.src().text().length()), settings.src().path(),
        "no such file or folder: " + shown(settings.src().text()), beside(settings.src()));
    return Optional.empty();
  }

  /** Returns where the rules may be instead: beside the configuration, as in a folder that was copied. */
  private static String beside(LocatedText src) {
    try {
      if (src.at(0, 1) instanceof Origin.InFile place && !src.text().isBlank()) {
        Path path = Path.of(src.text());
        Path there = Path.of(place.file().name()).toAbsolutePath()
            .resolveSibling(path.isAbsolute() ? path.getFileName() : path).normalize();
        return Files.exists(there) ? "beside the configuration there is `" + there + "`" : "";
      }
    } catch (InvalidPathException _) {
      // it is reported as it is
    }
    return "";
  }

  private static String shown(String src) {
    try {
      return src.isBlank() ? "``" : UnreadableFile.shown(Path.of(src));
    } catch (InvalidPathException _) {
      return "`" + src + "`";
    }
  }

  /** Loads the rule sets of files; remote ones are fetched later. */
  List<Change> load(Problems problems) {
    if (settings.files().isEmpty() && settings.remote().isEmpty()) {
      log.warn("No rule provider configured. Only defaults will be used.");
    }
    return files.map(f -> f.load(settings.files().orElseThrow().src().at(0), problems)).orElse(List.of());
  }

  /** Returns the names of the remote rule sets. */
  List<String> fetched() {
    return endpoints.map(HttpEndpoints::sources).orElse(List.of());
  }

  /** Returns whether the first fetch of some remote rule sets is pending. */
  boolean begin() {
    return endpoints.filter(HttpEndpoints::begins).isPresent();
  }

  /** Starts to report changes, if configured. @param history that learns which bundles are there */
  void watch(Consumer<List<Change>> listener, LoadHistory history) {
    Consumer<List<Change>> open = changes -> report(changes, listener);
    Consumer<List<Change>> kept = changes -> open.accept(withoutRemoved(changes, history));
    if (settings.files().filter(Providers.Files::watch).isPresent()) {
      boolean signed = settings.files().flatMap(Providers.Files::signature).isPresent();
      Consumer<List<Change>> named = file
          .map(one -> (Consumer<List<Change>>) changes -> open.accept(ofFile(one, changes, history))).orElse(open);
      files.ifPresent(f -> f.watch(signed ? kept : named));
    } else if (files.isPresent()) {
      log.info("Watching of rules is not configured. Updates to rules will have no effect");
    }
    endpoints.ifPresent(e -> e.watch(settings.remote().flatMap(Providers.Remote::signature).isEmpty() ? open : kept));
  }

  /** Returns what is left: a bundle that is taken away, as with the stick that it is on, stays in force. */
  private List<Change> withoutRemoved(List<Change> changes, LoadHistory history) {
    List<Change> left = changes.stream().filter(change -> change.text().isPresent()).toList();
    left.forEach(change -> history.found(change.source()));
    changes.stream().filter(change -> change.text().isEmpty()).map(Change::source).forEach(source -> {
      log.warn("Signed bundle removed, its rules stay in force", "_rule_set", source);
      history.missing(source, LoadHistory.Kept.BUNDLE);
    });
    return left;
  }

  /**
   * Returns what is left of the changes of a file that the configuration names: a start without it is refused, so its
   * rules do not go with it, and those of a folder in its place do not count.
   */
  private List<Change> ofFile(String source, List<Change> changes, LoadHistory history) {
    List<Change> of = changes.stream().filter(change -> change.source().equals(source)).toList();
    List<Change> left = of.stream().filter(change -> change.text().isPresent()).toList();
    left.forEach(_ -> history.found(source));
    if (of.size() > left.size()) {
      log.error("Rule file removed, its last good rules stay in force", "_rule_set", source);
      history.missing(source, LoadHistory.Kept.FILE);
    }
    return left;
  }

  private synchronized void report(List<Change> changes, Consumer<List<Change>> listener) {
    if (!closed) {
      listener.accept(changes);
    }
  }

  /** Closes this if the exchange succeeds; no change is reported meanwhile. */
  synchronized boolean closeIf(BooleanSupplier exchange) {
    boolean isTaken = exchange.getAsBoolean();
    if (isTaken) {
      close();
    }
    return isTaken;
  }

  @Override
  public synchronized void close() {
    closed = true;
    files.ifPresent(FileSystem::close);
    endpoints.ifPresent(HttpEndpoints::close);
  }
}
