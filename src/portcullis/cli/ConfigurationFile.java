package portcullis.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import portcullis.config.Enforcement;
import portcullis.lang.source.Problems;

/**
 * Where a configuration is read, now and again.
 *
 * @param named on the command line
 */
record ConfigurationFile(Optional<String> named, Surroundings surroundings, Enforcement enforcement) {
  /** The settings as they are now; empty exactly if an error was added. */
  Optional<Settings> settings(Problems problems) {
    return SettingsFile.read(named, problems)
        .flatMap(text -> Program.settings(text, surroundings, enforcement, problems));
  }

  /** The file, if there is one. */
  Optional<Path> path() {
    try {
      return SettingsFile.find(named);
    } catch (InvalidPathException _) {
      return Optional.empty();
    }
  }
}
