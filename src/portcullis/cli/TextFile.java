package portcullis.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.source.UnreadableFile;

/** Reads a file that the command line names. */
final class TextFile {
  private TextFile() {}

  /**
   * Reads a file; empty exactly if an error was added, in which {@code what} names the file, as {@code context file}.
   */
  static Optional<SourceFile> read(String what, String name, Problems problems) {
    try {
      return Optional.of(new SourceFile(name, Files.readString(Path.of(name))));
    } catch (InvalidPathException _) {
      problems.error(Origin.BUILT_IN, "", "`" + name + "` is not the path of a " + what, "");
    } catch (IOException e) {
      problems.error(Origin.BUILT_IN, "", "cannot read the " + what + " " + UnreadableFile.message(Path.of(name), e),
          "");
    }
    return Optional.empty();
  }
}
