package portcullis.cli;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

/** Reads a file that the command line names. */
final class TextFile {
  private TextFile() {}

  /** Returns a path for a message; a relative one with the folder that it is relative to. */
  static String shown(Path path) {
    return "`" + path + "`" + (path.isAbsolute() ? "" : " in `" + Path.of("").toAbsolutePath() + "`");
  }

  /** Empty exactly if an error was added; {@code what} is what the file is called in it, as {@code context file}. */
  static Optional<SourceFile> read(String what, String name, Problems problems) {
    try {
      return Optional.of(new SourceFile(name, Files.readString(Path.of(name))));
    } catch (NoSuchFileException | InvalidPathException _) {
      problems.error(Origin.BUILT_IN, "", "there is no " + what + " `" + name + "`", "");
    } catch (CharacterCodingException _) {
      problems.error(Origin.BUILT_IN, "", what + " `" + name + "` is not UTF-8 text", "");
    } catch (IOException e) {
      problems.error(Origin.BUILT_IN, "", what + " `" + name + "` cannot be read: " + e.getMessage(), "");
    }
    return Optional.empty();
  }
}
