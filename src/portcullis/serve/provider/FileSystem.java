package portcullis.serve.provider;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import portcullis.background.BackgroundTask;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.source.UnreadableFile;
import portcullis.observe.telemetry.Log;

/**
 * Loads rule sets from files. While watching, a changed file is reported once it is complete, as {@link
 * ChangeDebouncer} decides; changes within that time are reported together. One thread, ended by {@link #close}.
 */
public final class FileSystem implements AutoCloseable {
  /** The prefix of the names of its rule sets. */
  public static final String KIND = "file_system:";

  private static final String COPY = "its name is that of a copy or a disabled file: its rules are not used";
  private static final Duration STILL = Duration.ofMillis(50);
  private static final int LOOKS = 80;
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final RuleFiles files;
  private final String key;
  /** Its ongoing problem, apart from that of other sources. */
  private final String problem;
  private final boolean keeps;
  private final Log log;
  private final Map<Path, ReadFile> reported = new LinkedHashMap<>();
  private final ChangeDebouncer settling = new ChangeDebouncer(System::nanoTime);
  /** Files with names of copies, of which each is reported once. */
  private final Set<Path> copies = new HashSet<>();
  private Optional<BackgroundTask> watcher = Optional.empty();
  private boolean eventless;
  private boolean isFolder;
  private boolean hadRules;
  /** Looks in a row that found something missing, since what is replaced may be away for a moment. */
  private int lacking;

  /** @param src a folder, or one file */
  public FileSystem(Path src, Log log) {
    this(src, "src", true, log);
  }

  /**
   * @param key of the configuration that names the folder or file
   * @param keeps whether rules stay in use while their folder, or the target of a link, is missing
   */
  public FileSystem(Path src, String key, boolean keeps, Log log) {
    this.files = new RuleFiles(src.toAbsolutePath().normalize());
    this.key = "providers.file_system." + key;
    this.keeps = keeps;
    this.problem = "rule files of " + this.key;
    this.log = log;
  }

  /** Reads all rule sets; files that cannot be read are added to the problems. */
  public List<Change> load(Origin at, Problems problems) {
    List<Change> out = new ArrayList<>();
    try {
      for (Path folder : files.folders()) {
        problems.warning(at, key, "folder `" + folder + "` is not read",
            "only files of the folder itself are");
      }
      for (Path copy : files.copies()) {
        copies.add(copy);
        problems.warning(at, key, "`" + copy + "`: " + COPY, "rename it if they are to be used");
      }
      isFolder = Files.isDirectory(files.src());
      for (Path link : keeps ? files.dangling() : List.<Path>of()) {
        problems.error(at, key, "`" + link + "` is a link to a file that does not exist", "restore the file, or remove "
            + "the link");
      }
      for (Map.Entry<Path, FileStamp> file : files.stamps().entrySet()) {
        SourceFile text = RuleFiles.read(file.getKey());
        reported.put(file.getKey(), new ReadFile(file.getValue().readAt(Instant.now()), text));
        out.add(new Change(RuleFiles.source(file.getKey()), Optional.of(text)));
      }
      hadRules = !reported.isEmpty() || log.ongoing().lasts(problem + ": none"); // as before a reload
    } catch (IOException e) {
      problems.error(at, key, "cannot read the rules: " + reason(e), "");
    }
    return out;
  }

  private String reason(IOException e) {
    Path file = e instanceof FileSystemException error && error.getFile() != null ? Path.of(error.getFile())
        : files.src();
    return UnreadableFile.message(file, e);
  }

  /** Starts to report changes since {@link #load}. */
  public void watch(Consumer<List<Change>> listener) {
    watcher = Optional.of(BackgroundTask.start(Thread.ofVirtual().name("rule files"), () -> watched(listener)));
  }

  /**
   * Checks for changes at every event of the system, and each second in any case: a link whose target changes causes no
   * event.
   */
  private boolean watched(Consumer<List<Change>> listener) throws InterruptedException {
    Path folder = Files.isDirectory(files.src()) ? files.src() : files.src().getParent();
    try (WatchService events = folder.getFileSystem().newWatchService()) {
      folder.register(events, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY,
          StandardWatchEventKinds.ENTRY_DELETE);
      for (boolean valid = true; valid;) {
        Optional<WatchKey> key = Optional.ofNullable(events.poll(LOOK.toMillis(), TimeUnit.MILLISECONDS));
        look(listener);
        key.ifPresent(WatchKey::pollEvents);
        valid = key.map(WatchKey::reset).orElse(true); // not where the folder itself was replaced
      }
    } catch (IOException e) {
      eventless(e);
      look(listener);
      Thread.sleep(LOOK);
    }
    return true;
  }

  /** Logged once: without events, changes are found by polling. */
  private void eventless(IOException e) {
    if (!eventless) {
      log.warn("Rule files are polled each second, as file events are not available", "_src", files.src(),
          "_error", reason(e));
    }
    eventless = true;
  }

  /**
   * Waits until all that has changed is complete, or for four seconds, and reports what is complete. A file that others
   * are renamed over all the time never comes to rest, but is complete at any time.
   */
  void look(Consumer<List<Change>> listener) throws InterruptedException {
    try {
      rest(listener);
      reportCopies();
      reportLosses();
      lacking = 0;
      log.resolved(problem, "Rules can be read again", "_src", files.src());
    } catch (UncheckedIOException e) {
      trouble(e.getCause());
    } catch (MissingException e) {
      lacking++;
      if (lacking > 1) {
        trouble(e);
      }
    } catch (IOException e) {
      trouble(e);
    }
  }

  private void reportCopies() throws IOException {
    List<Path> now = files.copies();
    copies.retainAll(now);
    now.stream().filter(copies::add).forEach(copy -> log.warn("Rule file ignored", "_file", copy, "_reason", COPY));
  }

  /** Thrown where something is missing whose rules stay in use. */
  private static final class MissingException extends FileSystemException {
    private static final long serialVersionUID = 1;

    MissingException(Path file, String why) {
      super(file.toString(), null, why);
    }
  }

  /** Reports what is missing though its rules, or their absence, stay in force. */
  private void reportLosses() throws IOException {
    for (Path link : keeps ? files.dangling() : List.<Path>of()) {
      if (reported.containsKey(link)) {
        throw new MissingException(link, "it is a link to a file that does not exist");
      }
    }
    if (keeps && isFolder && hadRules && reported.isEmpty()) {
      log.problem(problem + ": none", "No rule file is left", "_src", files.src());
    } else if (!reported.isEmpty()) {
      log.resolved(problem + ": none", "There are rule files again", "_src", files.src());
    }
    hadRules |= !reported.isEmpty();
  }

  /**
   * Returns the files. A folder that is gone, or a link to nothing, is most likely about to come back: that takes no
   * rules away, as the removal of a file does.
   */
  private SequencedMap<Path, FileStamp> stamps() throws IOException {
    if (!keeps) {
      return files.stamps();
    }
    SequencedMap<Path, FileStamp> out;
    try {
      out = isFolder ? files.inFolder() : files.stamps();
    } catch (NoSuchFileException _) {
      throw new MissingException(files.src(), "there is no such folder any more");
    } catch (NotDirectoryException _) {
      throw new MissingException(files.src(), "it is no longer a folder");
    }
    for (Path link : files.dangling()) {
      Optional.ofNullable(reported.get(link)).ifPresent(read -> out.put(link, read.stamp()));
    }
    return out;
  }

  private void trouble(IOException e) {
    log.problem(problem, "Rules cannot be read", "_src", files.src(), "_error", reason(e));
  }

  private void rest(Consumer<List<Change>> listener) throws IOException, InterruptedException {
    SequencedMap<Path, FileStamp> now = stamps();
    Map<Path, Integer> exchanges = new HashMap<>();
    Set<Path> complete = complete(now);
    for (int i = 0; i < LOOKS && !isReported(now); i++) {
      SequencedMap<Path, FileStamp> before = now;
      Thread.sleep(STILL);
      now = stamps();
      complete = complete(now);
      if (now.equals(before) && complete.containsAll(now.keySet())) {
        report(now, _ -> true, listener);
        return;
      }
      now.forEach((file, stamp) -> {
        if (before.containsKey(file) && !Objects.equals(before.get(file).identity(), stamp.identity())) {
          exchanges.merge(file, 1, Integer::sum);
        }
      });
    }
    if (!isReported(now)) {
      Set<Path> settled = complete;
      report(now, file -> settled.contains(file) || exchanges.getOrDefault(file, 0) > 1, listener);
    }
  }

  private boolean isReported(Map<Path, FileStamp> now) {
    return now.keySet().equals(reported.keySet()) && now.entrySet().stream().allMatch(this::isReported);
  }

  private boolean isReported(Map.Entry<Path, FileStamp> file) {
    return reported.containsKey(file.getKey()) && reported.get(file.getKey()).stamp().equals(file.getValue());
  }

  /** Returns the files that have not changed, and those of the others that are complete. */
  private Set<Path> complete(Map<Path, FileStamp> now) {
    Set<Path> out = new HashSet<>();
    for (Map.Entry<Path, FileStamp> file : now.entrySet()) {
      Optional<ReadFile> before = Optional.ofNullable(reported.get(file.getKey()));
      if (isReported(file) || settling.isComplete(file.getKey(), file.getValue(), before)) {
        out.add(file.getKey());
      }
    }
    return out;
  }

  private void report(Map<Path, FileStamp> now, Predicate<Path> whole, Consumer<List<Change>> listener)
      throws IOException {
    Map<Path, ReadFile> before = new LinkedHashMap<>(reported);
    List<Change> changes = new ArrayList<>();
    for (Path gone : List.copyOf(reported.keySet())) {
      if (!now.containsKey(gone)) {
        reported.remove(gone);
        settling.forget(gone);
        changes.add(new Change(RuleFiles.source(gone), Optional.empty()));
      }
    }
    Optional<IOException> trouble = Optional.empty();
    for (Map.Entry<Path, FileStamp> file : now.entrySet()) {
      try {
        if (!isReported(file) && whole.test(file.getKey())) {
          SourceFile text = RuleFiles.read(file.getKey());
          Optional<ReadFile> read = Optional
              .ofNullable(reported.put(file.getKey(), new ReadFile(file.getValue(), text)));
          settling.forget(file.getKey());
          if (read.filter(known -> !known.stamp().isKnown() && known.text().equals(text)).isPresent()) {
            continue; // it has only been made sure of
          }
          changes.add(new Change(RuleFiles.source(file.getKey()), Optional.of(text)));
        }
      } catch (IOException e) {
        trouble = Optional.of(e); // the others are reported nevertheless
      }
    }
    if (!changes.isEmpty()) {
      log.debug("Rule update event received", "_src", files.src());
      try {
        listener.accept(changes);
      } catch (RuntimeException | Error e) {
        reported.clear(); // all is reported again at the next look
        reported.putAll(before);
        throw e;
      }
    }
    if (trouble.isPresent()) {
      throw trouble.get();
    }
  }

  @Override
  public void close() {
    watcher.ifPresent(BackgroundTask::close);
    log.ongoing().end(problem);
    log.ongoing().end(problem + ": none");
  }
}
