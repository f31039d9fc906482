package portcullis.acceptance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A program that others wrote, once it has written a line. */
record StartedProgram(Process process) implements AutoCloseable {
  /** The modules of node, with oidc-provider; installed by .ci/run. */
  static final Path MODULES = Path.of("build/openid").toAbsolutePath();

  /** Starts an OpenID provider for an application at this origin. */
  static StartedProgram provider(Path folder, int port, String origin, String... more) throws IOException {
    List<String> command = new ArrayList<>(List.of("node",
        Path.of("test/data/login/provider.mjs").toAbsolutePath().toString(), MODULES.toString(),
        Integer.toString(port), origin));
    command.addAll(List.of(more));
    return of(folder, "the provider serves", command.toArray(String[]::new));
  }

  static StartedProgram of(Path folder, String line, String... command) throws IOException {
    Process process = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    BufferedReader lines = process.inputReader();
    StringBuilder all = new StringBuilder();
    for (String next = lines.readLine(); next != null; next = lines.readLine()) {
      all.append(next).append('\n');
      if (next.contains(line)) {
        Thread.ofVirtual().name("output").start(() -> forget(lines));
        return new StartedProgram(process);
      }
    }
    throw new AssertionError(all.toString());
  }

  private static void forget(BufferedReader lines) {
    try {
      lines.transferTo(Writer.nullWriter());
    } catch (IOException _) {
      // it has been closed
    }
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
