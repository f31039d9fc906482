package portcullis.mutation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The program as it was built, and runs of its tests. */
final class Program implements AutoCloseable {
  static final Path SOURCES = Path.of("src");
  static final Path CLASSES = Path.of("build/classes");
  private static final Path TESTS = Path.of("build/test-classes");
  /** Compiles and loads classes itself, which fails with those of another class loader. */
  private static final List<String> OWN_LOADER = List.of("portcullis/policy/catalogue/AddedTypeTest.class");
  /** Use a library that only one class loader of a process can load; skipped by all others. */
  private static final List<String> OWN_PROCESS = List.of("portcullis.crypto.keys.X25519ProviderTest");
  private static final JavaCompiler JAVAC = ToolProvider.getSystemJavaCompiler();
  /** Threads and memory that changed programs leave behind end with their process. */
  private static final int LISTS_OF_A_PROCESS = 50;
  private static final long HOUR = 3600;
  private static final Pattern CONSTANT = Pattern
      .compile("^(?!private)(?:public )?static final (?:int|long|String) (\\w+) =");

  private final Path folder;
  private final String jars;
  /** Kept, as opening the jars again for each change takes longer than compiling it. */
  private final StandardJavaFileManager opened = JAVAC.getStandardFileManager(null, null, null);
  private Optional<TestProcess> process = Optional.empty();

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

  /** What the tests run of these packages: of those that were not run so before, each with probes in their classes. */
  Coverage coverage(List<String> packages) throws IOException, InterruptedException {
    Path probed = fresh("probed");
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
    for (List<String> part : missing.stream()
        .collect(Collectors.groupingBy(line -> OWN_PROCESS.contains(line.split(" ")[0]))).values()) {
      String file = Files.write(folder.resolve("tests"), part).toString();
      try (TestProcess run = process("cover", Integer.toString(places.size()), rows.toString(), probed.toString(),
          CLASSES.toString(), TESTS.toString())) {
        String failing = run.answer(file, HOUR).orElseThrow(() -> new IOException("the run for coverage has ended"));
        System.out.print(failing.isEmpty() ? "" : "left out, as they fail without a change: " + failing + "\n");
      } catch (TimeoutException e) {
        throw new IOException("the tests take more than an hour", e);
      }
    }
    List<String> current = tests().stream()
        .map(test -> test + " " + versions.get(TESTS.resolve(test.replace('.', '/')).getParent()
            .toString()))
        .toList();
    return new Coverage(places,
        Coverage.rows(rows).stream().filter(row -> current.contains(row.test() + " " + row.version())).toList());
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

  /** Compiles the changed source before the program's classes; false where it does not compile. */
  boolean compiles(Mutation mutation, String source) throws IOException {
    Path overlay = fresh("overlay");
    List<String> options = List.of("--release", "25", "-proc:none", "-g", "-nowarn", "-cp", CLASSES + ":" + jars, "-d",
        overlay.toString());
    List<JavaFileObject> changed = new ArrayList<>(
        List.of(Mutator.inMemory(mutation.file(), mutation.applied(source))));
    for (Path reader : readers(SOURCES, mutation, source)) {
      changed.add(Mutator.inMemory(reader, Files.readString(SOURCES.resolve(reader))));
    }
    return JAVAC.getTask(Writer.nullWriter(), opened, _ -> {}, options, null, changed).call();
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

  /** The test that fails with what was compiled last, {@code time} where they do not end, or empty where all pass. */
  Optional<String> notices(List<String> tests, long millis) throws IOException, InterruptedException {
    if (tests.isEmpty()) {
      return Optional.empty();
    }
    if (tests.stream().anyMatch(OWN_PROCESS::contains)) {
      close();
    }
    String list = Files.write(folder.resolve("chosen"), tests).toString();
    while (true) {
      if (process.isEmpty()) {
        process = Optional.of(process("notice", folder.resolve("overlay").toString(), CLASSES.toString(),
            TESTS.toString()));
      }
      TestProcess run = process.get();
      boolean first = run.answered() == 0;
      Optional<String> answer;
      try {
        answer = run.answer(list, 60 + millis / 1000 * 5);
      } catch (TimeoutException _) {
        answer = Optional.of("time");
      }
      boolean clean = answer.isPresent() && !answer.get().equals(TestRun.DISTURBED);
      if (!clean || answer.get().equals("time") || run.answered() >= LISTS_OF_A_PROCESS) {
        close();
      }
      if (clean) {
        return answer.filter(text -> !text.isEmpty());
      }
      if (first) { // what a process that has run nothing before says, counts
        return answer.isEmpty() ? Optional.of("the process ended") : Optional.empty();
      }
    }
  }

  private TestProcess process(String... words) throws IOException {
    Path own = fresh("own");
    Path target = Files.createDirectories(own.resolve("portcullis/mutation"));
    try (var files = Files.list(TESTS.resolve("portcullis/mutation"))) {
      for (Path file : files.filter(path -> !path.getFileName().toString().startsWith("Gate")).toList()) {
        Files.copy(file, target.resolve(file.getFileName()));
      }
    }
    return new TestProcess(own + ":" + jars, folder.resolve("err").toFile(), List.of(words));
  }

  /** Ends the process that runs tests. */
  @Override
  public void close() {
    process.ifPresent(TestProcess::close);
    process = Optional.empty();
  }

  private Path fresh(String name) throws IOException {
    Path path = folder.resolve(name);
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
