package portcullis.acceptance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A program that others wrote, once it has written a line; {@link #close} ends it and what it has started. */
final class Started implements AutoCloseable {
  private final Process process;
  private final StringBuilder output = new StringBuilder();

  private Started(Process process) {
    this.process = process;
  }

  static Started of(Path folder, String line, String... command) throws IOException {
    Started started = new Started(
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start());
    BufferedReader lines = started.process.inputReader();
    for (String next = lines.readLine(); next != null; next = lines.readLine()) {
      started.append(next);
      if (next.contains(line)) {
        Thread.ofVirtual().name("output").start(() -> started.read(lines));
        return started;
      }
    }
    started.close();
    throw new AssertionError(started.output());
  }

  private void read(BufferedReader lines) {
    try {
      for (String next = lines.readLine(); next != null; next = lines.readLine()) {
        append(next);
      }
    } catch (IOException | UncheckedIOException _) {
      // it has been closed
    }
  }

  private synchronized void append(String line) {
    output.append(line).append('\n');
  }

  synchronized String output() {
    return output.toString();
  }

  /** How many lines of its output are this one. */
  long count(String line) {
    return output().lines().filter(line::equals).count();
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
