package portcullis.mutation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * The program as it was built, and runs of its tests.
 *
 * @param folder where what is made for this goes
 * @param jars the class path behind the program's and the tests' own classes
 */
record Program(Path folder, String jars) {
  static final Path SOURCES = Path.of("src");
  static final Path CLASSES = Path.of("build/classes");
  private static final Path TESTS = Path.of("build/test-classes");
  /** Compiles and loads classes itself, which fails with those of another class loader. */
  private static final List<String> OWN_LOADER = List.of("portcullis/policy/catalogue/AddedTypeTest.class");
  private static final JavaCompiler JAVAC = ToolProvider.getSystemJavaCompiler();

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
    Path own = fresh("own");
    Probes probes = new Probes();
    for (String name : packages) {
      probes.copy(CLASSES, probed, "portcullis/" + name);
    }
    copy("portcullis/mutation", own);
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
    if (!missing.isEmpty()) {
      String said = java(own + ":" + jars, 3600, "cover", Integer.toString(places.size()), rows.toString(),
          probed.toString(),
          CLASSES.toString(), TESTS.toString(), "--", Files.write(folder.resolve("tests"), missing).toString())
          .orElseThrow(() -> new IOException("the tests take more than an hour"));
      System.out.print(said);
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

  private static void copy(String name, Path to) throws IOException {
    Path target = Files.createDirectories(to.resolve(name));
    try (var files = Files.list(TESTS.resolve(name))) {
      for (Path file : files.toList()) {
        Files.copy(file, target.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  /** Compiles the changed source before the program's classes; false where it does not compile. */
  boolean compiles(Mutation mutation, String source) throws IOException {
    Path overlay = fresh("overlay");
    List<String> options = List.of("--release", "25", "-proc:none", "-g", "-nowarn", "-cp", CLASSES + ":" + jars, "-d",
        overlay.toString());
    return JAVAC.getTask(Writer.nullWriter(), null, _ -> {}, options, null,
        List.of(Mutator.inMemory(mutation.file(), mutation.applied(source)))).call();
  }

  /** The test that fails with what was compiled last, {@code time} where they do not end, or empty where all pass. */
  Optional<String> notices(List<String> tests, long millis) throws IOException, InterruptedException {
    if (tests.isEmpty()) {
      return Optional.empty();
    }
    Path names = Files.write(folder.resolve("chosen"), tests);
    String path = folder.resolve("overlay") + ":" + CLASSES + ":" + TESTS + ":" + jars;
    Optional<String> said = java(path, 60 + millis / 1000 * 5, "notice", names.toString());
    return said.isEmpty() ? Optional.of("time") : said.map(String::strip).filter(text -> !text.isEmpty());
  }

  /** What the process prints, or empty where it does not end in time. */
  private Optional<String> java(String path, long seconds, String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin/java").toString(),
        "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx2g", "-Dmutations=2000", "-cp", path,
        TestRun.class.getName()));
    command.addAll(List.of(words));
    Path log = folder.resolve("out");
    Process process = new ProcessBuilder(command).redirectOutput(log.toFile())
        .redirectError(folder.resolve("err").toFile()).start();
    boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().waitFor();
    if (!ended) {
      return Optional.empty();
    }
    try (InputStream in = Files.newInputStream(log)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return Optional
          .of(process.exitValue() == 0 || !text.isBlank() ? text : "the process ended with " + process.exitValue());
    }
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
