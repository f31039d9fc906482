package portcullis.mutation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.CRC32;

/** The program as it was built, and which tests run which lines of it. */
final class Program {
  static final Path SOURCES = Path.of("src");
  static final Path CLASSES = Path.of("build/classes");
  static final Path TESTS = Path.of("build/test-classes");
  /** Compiles and loads classes itself, which fails with those of another class loader. */
  private static final List<String> OWN_LOADER = List.of("portcullis/policy/catalogue/AddedTypeTest.class");
  /**
   * Tests that are the first of their process, as they use a library that only one class loader of a process can load,
   * or count the threads of the whole process, in which other tests have left some.
   */
  private static final Pattern OWN_PROCESS = Pattern.compile("portcullis\\.crypto\\.keys\\.X25519ProviderTest"
      + "|portcullis\\.serve\\.service\\.(Paused\\w+|QuietCall|WaitingRequest|LeavingQuietClients)Test");
  private static final String ROWS = "rows";
  private static final long HOUR = 3600;
  /** Most test classes wait more than they compute. */
  private static final int COVERING = 2 * Runtime.getRuntime().availableProcessors();
  private static final int TESTS_OF_A_LIST = 8;
  private static final Pattern CONSTANT = Pattern
      .compile("^(?!private)(?:public )?static final (?:int|long|String) (\\w+) =");

  private final Path folder;
  private final String jars;

  /**
   * @param folder where what is made for this goes
   * @param jars the class path behind the program's and the tests' own classes
   */
  Program(Path folder, String jars) {
    this.folder = folder;
    this.jars = jars;
  }

  /** The classes of unit tests, whose names end with Test. */
  static List<String> tests() throws IOException {
    try (var files = Files.walk(TESTS)) {
      return files.map(file -> TESTS.relativize(file).toString()).filter(name -> name.endsWith("Test.class"))
          .filter(name -> !name.startsWith("portcullis/acceptance/") && !name.startsWith("portcullis/mutation/"))
          .filter(name -> !OWN_LOADER.contains(name))
          .map(name -> name.substring(0, name.length() - ".class".length()).replace('/', '.')).sorted().toList();
    }
  }

  static boolean needsOwnProcess(String test) {
    return OWN_PROCESS.matcher(test).matches();
  }

  /** What the tests run of these packages: of those that were not run so before, each with probes in their classes. */
  Coverage coverage(List<String> packages) throws IOException, InterruptedException {
    Path probed = fresh(folder.resolve("probed"));
    Probes probes = new Probes();
    for (String name : packages) {
      probes.copy(CLASSES, probed, "portcullis/" + name);
    }
    List<Place> places = probes.places();
    Path rows = folder.resolve("coverage-" + hash(CLASSES));
    List<String> missing = new ArrayList<>();
    List<Coverage.Row> known = Coverage.rows(rows);
    Map<String, String> versions = new HashMap<>();
    for (String test : tests()) {
      Path of = TESTS.resolve(test.replace('.', '/')).getParent();
      String version = versions.computeIfAbsent(of.toString(), _ -> hash(of));
      if (known.stream().noneMatch(row -> row.test().equals(test) && row.version().equals(version))) {
        missing.add(test + " " + version);
      }
    }
    cover(missing, places.size(), rows, probed);
    List<String> current = tests().stream()
        .map(test -> test + " " + versions.get(TESTS.resolve(test.replace('.', '/')).getParent()
            .toString()))
        .toList();
    return new Coverage(places,
        Coverage.rows(rows).stream().filter(row -> current.contains(row.test() + " " + row.version())).toList());
  }

  /** Runs tests in several processes and adds to a file which of the probed lines each of them runs. */
  private void cover(List<String> tests, int lines, Path rows, Path probed) throws IOException, InterruptedException {
    Map<Boolean, List<String>> own = tests.stream()
        .collect(Collectors.partitioningBy(line -> needsOwnProcess(line.split(" ")[0])));
    Queue<List<String>> lists = new ConcurrentLinkedQueue<>();
    own.get(true).forEach(line -> lists.add(List.of(line)));
    List<String> others = own.get(false);
    for (int i = 0; i < others.size(); i += TESTS_OF_A_LIST) {
      lists.add(others.subList(i, Math.min(i + TESTS_OF_A_LIST, others.size())));
    }
    List<Callable<Void>> work = new ArrayList<>();
    for (int i = 0; i < Math.min(COVERING, lists.size()); i++) {
      Path folderOfOne = folder.resolve("cover-" + i);
      work.add(() -> {
        cover(lists, lines, Files.createDirectories(folderOfOne), probed);
        return null;
      });
    }
    try {
      InParallel.run(work);
    } finally {
      for (int i = 0; i < work.size(); i++) {
        Path part = folder.resolve("cover-" + i).resolve(ROWS);
        if (Files.exists(part)) {
          Files.write(rows, Files.readAllBytes(part), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
          Files.delete(part);
        }
      }
    }
  }

  private void cover(Queue<List<String>> lists, int lines, Path to, Path probed)
      throws IOException, InterruptedException {
    Optional<TestProcess> process = Optional.empty();
    try {
      for (List<String> list = lists.poll(); list != null; list = lists.poll()) {
        if (process.isPresent() && needsOwnProcess(list.getFirst().split(" ")[0])) {
          process.get().close();
          process = Optional.empty();
        }
        if (process.isEmpty()) {
          process = Optional.of(TestProcess.start(to, jars, List.of("cover", Integer.toString(lines),
              to.resolve(ROWS).toString(), probed.toString(), CLASSES.toString(), TESTS.toString())));
        }
        String failing = process.get().answer(Files.write(to.resolve("tests"), list).toString(), _ -> HOUR)
            .orElseThrow(() -> new IOException("a run for coverage has ended; see " + to.resolve("err")));
        System.out.print(failing.isEmpty() ? "" : "left out, as they fail without a change: " + failing + "\n");
      }
    } catch (TimeoutException e) {
      throw new IOException("tests take more than an hour", e);
    } finally {
      process.ifPresent(TestProcess::close);
    }
  }

  /** A number for all that is in a folder. */
  private static String hash(Path folder) {
    CRC32 sum = new CRC32();
    try (var files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        sum.update(Files.readAllBytes(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Long.toHexString(sum.getValue());
  }

  /** Returns the other files with the value of a changed constant, which the compiler copies into their classes. */
  static List<Path> readers(Path sources, Mutation mutation, String source) throws IOException {
    Matcher constant = CONSTANT.matcher(mutation.original(source));
    if (!constant.find()) {
      return List.of();
    }
    String name = mutation.file().getFileName().toString().replace(".java", "") + "." + constant.group(1);
    Pattern use = Pattern.compile("\\b" + Pattern.quote(name) + "\\b");
    try (var files = Files.walk(sources)) {
      List<Path> out = new ArrayList<>();
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).sorted().toList()) {
        Path relative = sources.relativize(file);
        if (!relative.equals(mutation.file()) && use.matcher(Files.readString(file)).find()) {
          out.add(relative);
        }
      }
      return out;
    }
  }

  /** An empty folder of that name. */
  static Path fresh(Path path) throws IOException {
    if (Files.exists(path)) {
      try (var files = Files.walk(path)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
    return Files.createDirectories(path);
  }
}
