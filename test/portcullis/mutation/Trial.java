package portcullis.mutation;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Tries one change after the other; several of them may do so at a time, each in a folder of its own. */
final class Trial implements AutoCloseable {
  private static final JavaCompiler JAVAC = ToolProvider.getSystemJavaCompiler();
  /** Threads and memory that changed programs leave behind end with their process. */
  private static final int LISTS_OF_A_PROCESS = 50;
  /** What so many tests run is not what the slow tests with processes of their own are there for. */
  private static final int MANY = 30;
  /** What a test class is given beside its time, in seconds, and how often that: a loop without end takes it all. */
  private static final int PATIENCE = 60;
  private static final int SLOWER = 5;

  private final Path folder;
  private final String jars;
  /** Kept, as opening the jars again for each change takes longer than compiling it. */
  private final StandardJavaFileManager opened = JAVAC.getStandardFileManager(null, null, null);
  private Optional<TestProcess> process = Optional.empty();

  /**
   * @param folder where what is made for this goes
   * @param jars the class path behind the program's and the tests' own classes
   */
  Trial(Path folder, String jars) throws IOException {
    this.folder = Files.createDirectories(folder);
    this.jars = jars;
  }

  /** Compiles the changed source before the program's classes; false where it does not compile. */
  boolean compiles(Mutation mutation, String source) throws IOException {
    Path overlay = Program.fresh(folder.resolve("overlay"));
    List<String> options = List.of("--release", "25", "-proc:none", "-g", "-nowarn", "-cp",
        Program.CLASSES + ":" + jars, "-d",
        overlay.toString());
    List<JavaFileObject> changed = new ArrayList<>(
        List.of(Mutator.inMemory(mutation.file(), mutation.applied(source))));
    for (Path reader : Program.readers(Program.SOURCES, mutation, source)) {
      changed.add(Mutator.inMemory(reader, Files.readString(Program.SOURCES.resolve(reader))));
    }
    return JAVAC.getTask(Writer.nullWriter(), opened, _ -> {}, options, null, changed).call();
  }

  /**
   * The test that fails with what was compiled last, {@code time} where one does not end, or empty where all pass.
   *
   * @param millis how long a test class takes
   */
  Optional<String> notices(List<String> tests, ToLongFunction<String> millis) throws IOException, InterruptedException {
    Map<Boolean, List<String>> own = tests.stream()
        .collect(Collectors.partitioningBy(Program::needsOwnProcess));
    Optional<String> out = own.get(false).isEmpty() ? Optional.empty() : answer(own.get(false), millis);
    for (String test : own.get(false).size() < MANY ? own.get(true) : List.<String>of()) {
      for (int i = 0; i < 2 && (i == 1) == out.isPresent(); i++) { // a failure counts where it is seen twice
        close();
        out = answer(List.of(test), millis);
        close();
      }
      if (out.isPresent()) {
        break;
      }
    }
    return out;
  }

  private Optional<String> answer(List<String> tests, ToLongFunction<String> millis)
      throws IOException, InterruptedException {
    String list = Files.write(folder.resolve("chosen"), tests).toString();
    while (true) {
      if (process.isEmpty()) {
        process = Optional.of(TestProcess.start(folder, jars, List.of("notice", folder.resolve("overlay").toString(),
            Program.CLASSES.toString(), Program.TESTS.toString())));
      }
      TestProcess run = process.get();
      boolean first = run.answered() == 0;
      Optional<String> answer;
      try {
        answer = run.answer(list, test -> PATIENCE + millis.applyAsLong(test) / 1000 * SLOWER);
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

  /** Ends the process that runs tests. */
  @Override
  public void close() {
    process.ifPresent(TestProcess::close);
    process = Optional.empty();
  }
}
