package portcullis.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;
import portcullis.lang.source.Problems;
import portcullis.verify.Suite;

/**
 * Runs test cases, and runs those again that depend on a file that changed, until the thread is interrupted or the
 * process ends.
 */
final class TestWatch {
  private static final long LOOK_MILLIS = 200;
  /** The number of files that are watched at most. */
  private static final int MOST = 10_000;

  private final Console console;
  private final List<String> operands;
  private final Optional<Path> config;
  private final boolean whole;
  private final BiFunction<List<Path>, Problems, Round> runner;
  private final Map<Path, Set<Path>> sources = new HashMap<>();
  private int status;

  /**
   * A run.
   *
   * @param status of the command if this were all
   * @param sources what the cases of each test file depend on
   */
  record Round(int status, Map<Path, Set<Path>> sources) {}

  /** The state of a file by which a change is detected. */
  private record Stamp(FileTime time, long size) {}

  /**
   * @param operands files and folders of tests
   * @param config of all tests that name none
   * @param whole whether all cases run again after any change
   * @param runner of the cases of some files
   */
  TestWatch(Console console, List<String> operands, Optional<Path> config, boolean whole,
      BiFunction<List<Path>, Problems, Round> runner) {
    this.console = console;
    this.operands = operands;
    this.config = config.map(path -> path.toAbsolutePath().normalize());
    this.whole = whole;
    this.runner = runner;
  }

  /** Returns the status of the last run. */
  int run() {
    Map<Path, Stamp> before = stamps();
    round(_ -> true);
    stamps().forEach(before::putIfAbsent);
    console.note("watching " + before.size() + " files, ^C ends");
    while (!Thread.currentThread().isInterrupted()) {
      Map<Path, Stamp> now = settled(before);
      Set<Path> changed = changed(before, now);
      if (!changed.isEmpty()) {
        changed.forEach(file -> console.say("changed " + shown(file)));
        round(test -> whole || dependsOn(test, changed));
        before = now;
        stamps().forEach(before::putIfAbsent); // rules that only the new files name
      }
    }
    return status;
  }

  private void round(Predicate<Path> affected) {
    Problems problems = new Problems();
    List<Path> files = Suite.files(operands, problems).stream().filter(affected).toList();
    if (!files.isEmpty() || problems.hasErrors()) {
      Round round = runner.apply(files, problems);
      sources.putAll(round.sources());
      status = round.status();
    }
  }

  /** A file that has not been read yet may depend on anything. */
  private boolean dependsOn(Path test, Set<Path> changed) {
    Set<Path> own = sources.get(test);
    return own == null || changed.stream()
        .anyMatch(file -> config.filter(file::equals).isPresent() || own.stream().anyMatch(file::startsWith));
  }

  /** Waits until files have stopped to change: an editor writes in several steps. */
  private Map<Path, Stamp> settled(Map<Path, Stamp> before) {
    Map<Path, Stamp> last = before;
    Map<Path, Stamp> now = last;
    do {
      last = now;
      try {
        Thread.sleep(LOOK_MILLIS);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
      now = stamps();
    } while (!now.equals(last) && !Thread.currentThread().isInterrupted());
    return now;
  }

  private static Set<Path> changed(Map<Path, Stamp> before, Map<Path, Stamp> now) {
    Set<Path> all = new TreeSet<>(before.keySet());
    all.addAll(now.keySet());
    all.removeIf(file -> Optional.ofNullable(before.get(file)).equals(Optional.ofNullable(now.get(file))));
    return all;
  }

  private Map<Path, Stamp> stamps() {
    Set<Path> roots = new LinkedHashSet<>();
    operands.forEach(name -> roots.add(Path.of(name).toAbsolutePath().normalize()));
    config.ifPresent(roots::add);
    sources.values().forEach(roots::addAll);
    Map<Path, Stamp> out = new LinkedHashMap<>();
    for (Path root : roots) {
      for (Path file : files(root)) {
        stamp(file).ifPresent(stamp -> out.put(file, stamp));
      }
    }
    return out;
  }

  private static List<Path> files(Path root) {
    if (!Files.isDirectory(root)) {
      return List.of(root);
    }
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(file -> !Files.isDirectory(file)).limit(MOST).toList();
    } catch (IOException | UncheckedIOException _) {
      return new ArrayList<>(); // removed at this moment: seen at the next look
    }
  }

  private static Optional<Stamp> stamp(Path file) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return Optional.of(new Stamp(attributes.lastModifiedTime(), attributes.size()));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private static String shown(Path file) {
    Path here = Path.of("").toAbsolutePath();
    return (file.startsWith(here) ? here.relativize(file) : file).toString();
  }
}
