package portcullis.mutation;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.ToLongFunction;

/** A process of {@link TestRun} that answers one line for each line it gets. */
final class TestProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader answers;
  private final Writer lists;
  private int answered;

  /**
   * @param folder takes the classes that it begins with and its output for errors
   * @param jars the class path behind these classes
   * @param words the arguments of {@link TestRun}
   */
  static TestProcess start(Path folder, String jars, List<String> words) throws IOException {
    Path own = Program.fresh(folder.resolve("own"));
    Path target = Files.createDirectories(own.resolve("portcullis/mutation"));
    try (var files = Files.list(Program.TESTS.resolve("portcullis/mutation"))) {
      for (Path file : files.filter(path -> !path.getFileName().toString().startsWith("Gate")).toList()) {
        Files.copy(file, target.resolve(file.getFileName()));
      }
    }
    return new TestProcess(own + ":" + jars, folder.resolve("err").toFile(), words);
  }

  private TestProcess(String path, File errors, List<String> words) throws IOException {
    List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin/java").toString(),
        "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx2g", "-Dmutations=2000", "-cp", path,
        TestRun.class.getName()));
    command.addAll(words);
    process = new ProcessBuilder(command).redirectError(errors).start();
    answers = process.inputReader(StandardCharsets.UTF_8);
    lists = process.outputWriter(StandardCharsets.UTF_8);
  }

  /** How many lists it has run. */
  int answered() {
    return answered;
  }

  /**
   * The answer to a line, or empty where the process has ended.
   *
   * @param seconds for how long it may work, at the begin and from each test class on that it names
   * @throws TimeoutException where it takes longer
   */
  Optional<String> answer(String line, ToLongFunction<String> seconds) throws InterruptedException, TimeoutException {
    try {
      lists.write(line + "\n");
      lists.flush();
    } catch (IOException _) {
      return Optional.empty(); // it has ended
    }
    String test = "";
    while (true) {
      Optional<String> next = next(seconds.applyAsLong(test));
      if (next.isEmpty() || !next.get().startsWith(TestRun.BEGUN)) {
        answered++;
        return next;
      }
      test = next.get().substring(TestRun.BEGUN.length());
    }
  }

  private Optional<String> next(long seconds) throws InterruptedException, TimeoutException {
    CompletableFuture<Optional<String>> line = CompletableFuture.supplyAsync(this::read,
        Thread.ofPlatform().daemon()::start); // the common pool may have one thread only, for all processes
    try {
      return line.get(seconds, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private Optional<String> read() {
    try {
      return Optional.ofNullable(answers.readLine());
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
