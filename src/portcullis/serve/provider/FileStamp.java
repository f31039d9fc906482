package portcullis.serve.provider;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/**
 * The properties that show a change of a file: its identity, which changes when another file is renamed over it, its
 * size and its modification time.
 */
public record FileStamp(Object identity, long size, long modified) {
  /** Returns the stamp of a regular file, following links; empty if there is none. */
  public static Optional<FileStamp> of(Path file) throws IOException {
    try {
      BasicFileAttributes a = Files.readAttributes(file, BasicFileAttributes.class);
      return a.isRegularFile() ? Optional.of(new FileStamp(a.fileKey(), a.size(), a.lastModifiedTime().toMillis()))
          : Optional.empty();
    } catch (NoSuchFileException _) {
      return Optional.empty();
    }
  }
}
