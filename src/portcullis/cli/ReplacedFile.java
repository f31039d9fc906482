package portcullis.cli;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that a command replaces by a new one. */
final class ReplacedFile {
  private ReplacedFile() {}

  /** Refuses what is neither a regular file nor absent: a device would be gone, and a pipe would be waited for. */
  static void check(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new FileSystemException(file.toString(), null, "it is a folder, name a file in it");
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new FileSystemException(file.toString(), null, "it is not a regular file, name one, or one to be created");
    }
  }
}
