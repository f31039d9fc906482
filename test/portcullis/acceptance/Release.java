package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import portcullis.fixture.Needs;

/** What {@code build.sh release} leaves, and programs run on it in an empty environment. */
final class Release {
  static final Path FOLDER = Path.of("build/release").toAbsolutePath();

  /** What a program came to. */
  record Outcome(int status, String output) {
    Outcome assertStatus(int expected) {
      assertEquals(expected, status, output);
      return this;
    }

    Outcome assertSays(String text) {
      assertTrue(output.contains(text), output);
      return this;
    }
  }

  private Release() {}

  /** The one file of the release of that name's end: none for the one file itself. */
  static Path file(String end) throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.filter(f -> f.getFileName().toString().matches("portcullis-[0-9.]+" + end)).findFirst()
          .orElseThrow(() -> new AssertionError("build/release has no " + end + ": `build.sh release` makes it"));
    }
  }

  static Path program() throws IOException {
    return file("-linux-[a-z0-9_]+");
  }

  /** Whether it is the program of C, which says more than the script does. */
  static void assumeLinked() throws IOException {
    try (var in = Files.newInputStream(program())) {
      Needs.installed(in.read() == 0x7f, "gcc, zstd or zstd.h, so that the one file is the script");
    }
  }

  static void assumeTool(String tool) throws IOException {
    Needs.program(tool);
  }

  /** Whether new namespaces may be made, as with these options of unshare. */
  static void assumeNamespace(String options) throws IOException {
    Needs.possible(run(Map.of(), "unshare", options, "true").status() == 0, "unshare " + options + " is not permitted");
  }

  /** The tar.gz unpacked in that folder. */
  static Path tree(Path folder) throws IOException {
    run(Map.of(), "tar", "-C", folder.toString(), "-xpzf", file("-linux-[a-z0-9_]+\\.tar\\.gz").toString())
        .assertStatus(0);
    return folder.resolve(program().getFileName());
  }

  /** Runs a command to its end, two minutes at most, with these variables and a PATH only. */
  static Outcome run(Map<String, String> variables, String... command) throws IOException {
    Process process = process(variables, command).start();
    try {
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes());
      assertTrue(process.waitFor(2, TimeUnit.MINUTES), output);
      return new Outcome(process.exitValue(), output);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } finally {
      process.destroyForcibly();
    }
  }

  static ProcessBuilder process(Map<String, String> variables, String... command) {
    ProcessBuilder process = new ProcessBuilder(new ArrayList<>(List.of(command))).redirectErrorStream(true);
    process.environment().clear();
    process.environment().put("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
    process.environment().putAll(variables);
    return process;
  }
}
