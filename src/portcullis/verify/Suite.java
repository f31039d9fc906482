package portcullis.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import portcullis.config.Enforcement;
import portcullis.lang.source.FileFailure;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.source.UnreadableFile;
import portcullis.serve.runtime.Settings;

/** Runs the cases of {@code *_test.yaml} files, several at a time. */
public final class Suite {
  private static final String SUFFIX = "_test.yaml";

  private final Function<Optional<Path>, Optional<Settings>> configurations;
  private final Enforcement enforcement;
  private final Problems problems;
  private final Map<Path, Set<Path>> sources = new LinkedHashMap<>();

  /**
   * @param configurations reads the configuration that a file names, or that of the command line; empty exactly if it
   *     added a problem
   */
  public Suite(Function<Optional<Path>, Optional<Settings>> configurations, Enforcement enforcement,
      Problems problems) {
    this.configurations = configurations;
    this.enforcement = enforcement;
    this.problems = problems;
  }

  /**
   * All results, in the order of files and cases.
   *
   * @param unused stubs of files that answered no call in any case
   */
  public record Outcome(List<CaseResult> results, List<String> unused, Coverage coverage) {
    public long failed() {
      return results.stream().filter(result -> !result.passed()).count();
    }
  }

  /** Cases that use the same configuration and rules. */
  private record Group(Settings settings, List<Work> work) {}

  /** A case and the place of its result. */
  private record Work(TestFile file, TestCase test, int index) {}

  /**
   * The test files that the paths name: files themselves, and of folders all below that end with {@code _test.yaml}.
   */
  public static List<Path> files(List<String> paths, Problems problems) {
    Set<Path> out = new LinkedHashSet<>();
    for (String name : paths) {
      Path path = Path.of(name);
      if (!Files.exists(path)) {
        problems.error(Origin.BUILT_IN, "", "there is no file or folder `" + name + "`", "");
      } else if (Files.isDirectory(path)) {
        List<Path> found = below(path, problems);
        if (found.isEmpty()) {
          problems.error(Origin.BUILT_IN, "", "there are no tests in `" + name + "`", "their names end with `" + SUFFIX
              + "`");
        }
        out.addAll(found);
      } else {
        out.add(path);
      }
    }
    return List.copyOf(out);
  }

  private static List<Path> below(Path folder, Problems problems) {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> file.getFileName().toString().endsWith(SUFFIX)).sorted().toList();
    } catch (IOException e) {
      problems.error(Origin.BUILT_IN, "", "cannot read `" + folder + "`: " + FileFailure.reason(e), "");
      return List.of();
    }
  }

  /** Runs the cases; empty exactly if there are errors in a file, its configuration or its rules. */
  public Optional<Outcome> run(List<Path> paths, String pattern) throws InterruptedException {
    sources.clear();
    Map<String, Group> groups = new LinkedHashMap<>();
    List<TestFile> files = new ArrayList<>();
    int count = 0;
    for (Path path : paths) {
      Optional<TestFile> file = read(path);
      file.ifPresent(test -> source(path, test.config()));
      file.ifPresent(test -> source(path, test.rules()));
      Optional<Settings> settings = file.flatMap(this::settings);
      settings.flatMap(read -> read.providers().files()).ifPresent(rules -> source(path,
          Optional.of(Path.of(rules.src().text()))));
      if (settings.isEmpty()) {
        continue;
      }
      files.add(file.get());
      Group group = groups.computeIfAbsent(file.get().config() + "\n" + file.get().rules(),
          _ -> new Group(settings.get(), new ArrayList<>()));
      for (TestCase test : file.get().cases()) {
        if (pattern.isEmpty() || Stub.matches(pattern, test.name())) {
          group.work.add(new Work(file.get(), test, count++));
        }
      }
    }
    if (problems.hasErrors()) {
      return Optional.empty();
    }
    CaseResult[] results = new CaseResult[count];
    Coverage coverage = new Coverage();
    Map<Stub, Boolean> used = new ConcurrentHashMap<>();
    for (Group group : groups.values()) {
      run(group, results, coverage, used);
    }
    if (problems.hasErrors()) {
      return Optional.empty();
    }
    return Optional.of(new Outcome(List.of(results), unused(files, used), coverage));
  }

  /**
   * Returns the files and folders that the cases of each test file of the last run depend on, absolute: the file
   * itself, the configuration that it names, and the rules.
   */
  public Map<Path, Set<Path>> sources() {
    return sources;
  }

  private void source(Path test, Optional<Path> file) {
    file.ifPresent(path -> sources.computeIfAbsent(test, _ -> new LinkedHashSet<>())
        .add(path.toAbsolutePath().normalize()));
  }

  private Optional<TestFile> read(Path path) {
    source(path, Optional.of(path));
    try {
      return TestFile.read(path, new SourceFile(path.toString(), Files.readString(path)), problems);
    } catch (IOException e) {
      problems.error(Origin.BUILT_IN, "", "cannot read `" + path + "`: " + FileFailure.reason(e), "");
      return Optional.empty();
    }
  }

  private Optional<Settings> settings(TestFile file) {
    Optional<Path> missing = file.rules().filter(rules -> !Files.exists(rules));
    if (missing.isPresent()) {
      problems.error(file.rulesAt(), "rules", "no such file or folder: " + UnreadableFile.shown(missing.get()), "");
      return Optional.empty();
    }
    return configurations.apply(file.config()).map(settings -> file.rules().isEmpty() ? settings
        : settings.withRules(file.rules().get()));
  }

  private void run(Group group, CaseResult[] results, Coverage coverage, Map<Stub, Boolean> used)
      throws InterruptedException {
    int workers = Math.clamp(group.work.size() / 8, 1, Runtime.getRuntime().availableProcessors());
    AtomicInteger next = new AtomicInteger();
    try (OfflineDecider first = new OfflineDecider(group.settings, enforcement)) {
      if (!first.load(problems)) {
        return;
      }
      coverage.add(first.snapshot());
      try (ExecutorService pool = Executors.newFixedThreadPool(workers)) {
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
          boolean own = i > 0;
          running.add(pool.submit(() -> {
            if (own) {
              try (OfflineDecider kernel = new OfflineDecider(group.settings, enforcement)) {
                kernel.load(new Problems());
                work(group, kernel, next, results, coverage, used);
              }
            } else {
              work(group, first, next, results, coverage, used);
            }
          }));
        }
        for (Future<?> one : running) {
          one.get();
        }
      } catch (ExecutionException e) {
        throw new IllegalStateException(e.getCause());
      }
    }
  }

  private static void work(Group group, OfflineDecider kernel, AtomicInteger next, CaseResult[] results,
      Coverage coverage,
      Map<Stub, Boolean> used) {
    for (int i = next.getAndIncrement(); i < group.work.size(); i = next.getAndIncrement()) {
      Work work = group.work.get(i);
      TestCase test = work.test;
      OfflineDecider.Result result = kernel.run(test);
      Set<Integer> answered = result.calls().used();
      answered.forEach(index -> used.put(test.stubs().get(index), true));
      List<String> idle = new ArrayList<>();
      for (int s = 0; s < test.own(); s++) {
        if (!answered.contains(s)) {
          idle.add(test.stubs().get(s).at().text() + ": no call used the stub for " + test.stubs().get(s).name());
        }
      }
      results[work.index] = new CaseResult(work.file.source().name(), test.name(), test.at().text(),
          CaseCheck.of(test.expect(), result), idle, result.nanos());
      coverage.add(result, results[work.index].passed());
    }
  }

  /** Stubs of whole files. */
  private static List<String> unused(List<TestFile> files, Map<Stub, Boolean> used) {
    Set<String> out = new LinkedHashSet<>();
    Set<Stub> seen = new HashSet<>();
    for (TestFile file : files) {
      for (TestCase test : file.cases()) {
        test.stubs().subList(test.own(), test.stubs().size()).stream().filter(seen::add)
            .filter(stub -> !used.containsKey(stub))
            .forEach(stub -> out.add(stub.at().text() + ": no call used the stub for " + stub.name()));
      }
    }
    return List.copyOf(out);
  }
}
