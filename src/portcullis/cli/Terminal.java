package portcullis.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Detects whether input comes from a terminal and output goes to one. */
final class Terminal {
  private static final Path INPUT = Path.of("/proc/self/fd/0");
  private static final Path ERRORS = Path.of("/proc/self/fd/2");

  private Terminal() {}

  /**
   * Returns whether to use colours for what goes to standard error: on a terminal that supports them, unless they are
   * disabled.
   */
  static boolean colours(Map<String, String> environment) {
    return wanted(environment) && shown(ERRORS);
  }

  /** Returns whether a user types what is read from standard input. */
  static boolean isTyped() {
    return shown(INPUT);
  }

  /** Returns false if {@code NO_COLOR} is set (no-color.org) or the terminal has no colours. */
  static boolean wanted(Map<String, String> environment) {
    return environment.getOrDefault("NO_COLOR", "").isEmpty()
        && !environment.getOrDefault("TERM", "dumb").equals("dumb");
  }

  /**
   * Returns whether the stream behind a link of the system is a terminal; without such links, whether the process has
   * one.
   */
  static boolean shown(Path link) {
    try {
      String target = Files.readSymbolicLink(link).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
    } catch (IOException | UnsupportedOperationException _) {
      return System.console() != null && System.console().isTerminal();
    }
  }
}
