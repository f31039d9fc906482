package portcullis.cli;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

/** Finds and reads the configuration file. */
final class SettingsFile {
  private static final List<String> NAMES = List.of("portcullis.yaml", "heimdall.yaml");

  private SettingsFile() {}

  /** The file that is named, else the first of the usual places; empty where there is none. */
  static Optional<Path> find(Optional<String> named) {
    if (named.isPresent()) {
      return named.map(Path::of);
    }
    String home = System.getenv().getOrDefault("HOME", "");
    List<Path> folders = List.of(Path.of(""), Path.of(home, ".config"), Path.of("/etc/portcullis"),
        Path.of("/etc/heimdall"));
    return folders.stream().flatMap(folder -> NAMES.stream().map(folder::resolve)).filter(Files::isRegularFile)
        .findFirst();
  }

  /** Its text; empty exactly if an error was added. Without a file the text is empty. */
  static Optional<SourceFile> read(Optional<String> named, Problems problems) {
    try {
      Optional<Path> file = find(named);
      return Optional.of(file.isEmpty() ? new SourceFile("built-in configuration", "")
          : new SourceFile(file.get().toString(), Files.readString(file.get())));
    } catch (NoSuchFileException e) {
      problems.error(Origin.BUILT_IN, "", "there is no configuration file `" + named.orElse(e.getFile()) + "`", "");
    } catch (CharacterCodingException e) {
      problems.error(Origin.BUILT_IN, "", "configuration file `" + named.orElse("") + "` is no UTF-8 text", "");
    } catch (InvalidPathException | IOException e) {
      problems.error(Origin.BUILT_IN, "",
          "configuration file `" + named.orElse("") + "` cannot be read: " + e.getMessage(), "");
    }
    return Optional.empty();
  }
}
