package portcullis.serve.provider;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import portcullis.config.Yaml;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

/**
 * Decides when a changed file is complete: once its bytes were the same twice with a pause in between. The pause is
 * short for a file that was renamed over another, as such a file is complete at once, longer for one that is written in
 * place, where a pause may be one of its writer, and longest where the bytes themselves look incomplete. For one
 * thread.
 */
final class ChangeDebouncer {
  private static final Duration RENAMED = Duration.ofMillis(100);
  /** For a file that is new, was written in place or was emptied. */
  private static final Duration WRITTEN = Duration.ofMillis(300);
  /** For a file that may be a part of what is being written. */
  private static final Duration TRUNCATED = Duration.ofSeconds(3);

  private final Map<Path, Seen> seen = new HashMap<>();
  private final LongSupplier nanos;

  /** @param nanos a monotonic clock */
  ChangeDebouncer(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** A file when it was first seen in its present form. */
  private record Seen(FileStamp stamp, Optional<byte[]> bytes, long nanos) {}

  /**
   * Whether the file has been as it is now for long enough.
   *
   * @param before the file as it was read last, where it was
   */
  boolean isComplete(Path file, FileStamp stamp, Optional<ReadFile> before) {
    Seen first = seen.get(file);
    if (first == null || !first.stamp.equals(stamp)) {
      see(file, stamp);
      return false;
    }
    if (nanos.getAsLong() - first.nanos < pause(first, before).toNanos()) {
      return false;
    }
    Optional<byte[]> now = bytes(file);
    boolean same = now.isEmpty() == first.bytes.isEmpty()
        && (now.isEmpty() || Arrays.equals(now.get(), first.bytes.get()));
    if (!same) {
      see(file, stamp);
    }
    return same;
  }

  /** Forgets a file that was read or is gone. */
  void forget(Path file) {
    seen.remove(file);
  }

  private void see(Path file, FileStamp stamp) {
    seen.put(file, new Seen(stamp, bytes(file), nanos.getAsLong()));
  }

  /** Returns the content, or empty where the file cannot be read, which its reader reports. */
  private static Optional<byte[]> bytes(Path file) {
    try {
      return Optional.of(Files.readAllBytes(file));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private static Duration pause(Seen file, Optional<ReadFile> before) {
    Object identity = file.stamp.identity();
    if (before.isPresent() && !Objects.equals(before.get().stamp().identity(), identity)) {
      return RENAMED;
    }
    return file.bytes.filter(bytes -> mayBeTruncated(bytes, before)).isPresent() ? TRUNCATED : WRITTEN;
  }

  /**
   * Whether the file is shorter than it was, ends within a line or does not parse to its end. An empty file is none of
   * these: that is how rules are removed without removing the file.
   */
  private static boolean mayBeTruncated(byte[] bytes, Optional<ReadFile> before) {
    return bytes.length > 0 && (bytes[bytes.length - 1] != '\n'
        || before.filter(old -> bytes.length < old.text().text().getBytes(StandardCharsets.UTF_8).length).isPresent()
        || !parses(bytes));
  }

  private static boolean parses(byte[] bytes) {
    Problems problems = new Problems();
    Yaml.read(new SourceFile("", new String(bytes, StandardCharsets.UTF_8)), problems);
    return !problems.hasErrors();
  }
}
