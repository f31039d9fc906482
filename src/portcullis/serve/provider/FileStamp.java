package portcullis.serve.provider;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The properties that show a change of a file: its identity, which changes when another file is renamed over it, its
 * size and its modification time.
 *
 * @param modified nanoseconds since 1970
 */
public record FileStamp(Object identity, long size, long modified) {
  private static final Duration CLOCK_STEP = Duration.ofMillis(50);
  private static final long UNKNOWN = Long.MIN_VALUE;

  /** Returns the stamp of a regular file, following links; empty if there is none. */
  public static Optional<FileStamp> of(Path file) throws IOException {
    try {
      BasicFileAttributes a = Files.readAttributes(file, BasicFileAttributes.class);
      return a.isRegularFile() ? Optional.of(new FileStamp(a.fileKey(), a.size(),
          a.lastModifiedTime().to(TimeUnit.NANOSECONDS)))
          : Optional.empty();
    } catch (NoSuchFileException _) {
      return Optional.empty();
    }
  }

  boolean isKnown() {
    return modified != UNKNOWN;
  }

  /**
   * Returns what a file is known by that was read at that time: nothing if it had just been changed, as another change
   * within the same step of the file system's clock would not show.
   */
  FileStamp readAt(long nanos) {
    return nanos - modified < CLOCK_STEP.toNanos() ? new FileStamp(identity, size, UNKNOWN) : this;
  }
}
