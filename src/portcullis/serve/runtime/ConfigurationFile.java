package portcullis.serve.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import portcullis.config.Enforcement;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.source.UnreadableFile;

/**
 * The file that the configuration is read from, at startup and on each reload.
 *
 * @param named the file named on the command line; if empty, the default locations are searched
 */
public record ConfigurationFile(Optional<String> named, EnvironmentOverrides overrides, Enforcement enforcement) {
  /** The name of the configuration that is used where there is no file. */
  static final String BUILT_IN = "built-in configuration";

  private static final List<String> NAMES = List.of("portcullis.yaml", "heimdall.yaml");

  /** Reads the current settings; empty exactly if an error was added. */
  public Optional<Settings> settings(Problems problems) {
    return text(problems).flatMap(text -> Settings.read(text, overrides, enforcement, problems));
  }

  /** Reads the current settings; if there are errors, those of rules are added too. */
  public Optional<Settings> settings(RuleCheck rules, Problems problems) {
    return text(problems).flatMap(text -> Settings.read(text, overrides, enforcement, Optional.of(rules), problems));
  }

  /** Returns the path of the file, if there is one. */
  public Optional<Path> path() {
    try {
      return find();
    } catch (InvalidPathException _) {
      return Optional.empty();
    }
  }

  private Optional<Path> find() {
    if (named.isPresent()) {
      return named.map(Path::of);
    }
    String home = System.getenv().getOrDefault("HOME", "");
    List<Path> folders = List.of(Path.of(""), Path.of(home, ".config"), Path.of("/etc/portcullis"),
        Path.of("/etc/heimdall"));
    return folders.stream().flatMap(folder -> NAMES.stream().map(folder::resolve)).filter(Files::isRegularFile)
        .findFirst();
  }

  /** Returns the text of the file, or an empty one if there is no file; empty exactly if an error was added. */
  private Optional<SourceFile> text(Problems problems) {
    Optional<Path> file = Optional.empty();
    try {
      file = find();
      if (file.isEmpty()) {
        problems.warning(Origin.BUILT_IN, "", "no configuration file was found",
            "name one by `-c FILE`, or put it where "
                + "it is looked for: ./portcullis.yaml, ~/.config/portcullis.yaml, /etc/portcullis/portcullis.yaml");
      }
      return Optional.of(file.isEmpty() ? new SourceFile(BUILT_IN, "")
          : new SourceFile(file.get().toString(), Files.readString(file.get())));
    } catch (NoSuchFileException _) {
      problems.error(Origin.BUILT_IN, "", "no such configuration file: " + UnreadableFile.shown(file.orElseThrow()),
          "");
    } catch (InvalidPathException _) {
      problems.error(Origin.BUILT_IN, "", "`" + named.orElse("") + "` is not the path of a configuration file", "");
    } catch (IOException e) {
      problems.error(Origin.BUILT_IN, "",
          "cannot read the configuration file " + UnreadableFile.message(file.orElseThrow(), e), "");
    }
    return Optional.empty();
  }
}
