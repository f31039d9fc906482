package portcullis.serve.provider;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/** By which a change of a file is noticed: its identity, which a rename over it changes, its size and its time. */
public record FileStamp(Object identity, long size, long modified) {
  /** Of a regular file, links followed; empty where there is none. */
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
