package portcullis.serve.provider;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The properties that show a change of a file: its identity, which changes when another file is renamed over it, its
 * size and its modification time.
 *
 * @param modified nanoseconds since 1970
 */
public record FileStamp(Object identity, long size, long modified) {
  /** The clock of a file system goes in steps: a later change may have the time of an earlier one. */
  private static final Duration CLOCK_STEP = Duration.ofMillis(100);
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

  /** Whether it had just been changed then, so that another change within the same step of the clock would not show. */
  public boolean isNewAt(Instant time) {
    return ChronoUnit.NANOS.between(Instant.EPOCH, time) - modified < CLOCK_STEP.toNanos();
  }

  /** Returns what a file is known by that was read then: nothing if another change would not show. */
  FileStamp readAt(Instant time) {
    return isNewAt(time) ? new FileStamp(identity, size, UNKNOWN) : this;
  }
}
