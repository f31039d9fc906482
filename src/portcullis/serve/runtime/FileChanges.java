package portcullis.serve.runtime;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.serve.provider.FileStamp;

/**
 * Polls files for changes, following links; this detects changes of mounted files too, whose links are replaced
 * somewhere above them. For one thread.
 */
final class FileChanges {
  private final InstantSource clock;
  private final Map<Path, State> known = new HashMap<>();
  private final Map<Path, Optional<FileStamp>> seen = new HashMap<>();

  /** @param clock that of the file system */
  FileChanges(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * A file when it was looked at.
   *
   * @param content the digest of a file that was so new that its stamp does not show a change; empty for others
   */
  private record State(Optional<FileStamp> stamp, String content) {}

  /** Returns the files that have changed since they were last reported and did not change since the last poll. */
  List<Path> changed(Collection<Path> files) {
    known.keySet().retainAll(files);
    List<Path> out = new ArrayList<>();
    for (Path file : files) {
      Optional<FileStamp> now = stamp(file);
      Optional<FileStamp> before = seen.put(file, now);
      if (!known.containsKey(file)) {
        know(file);
      } else if (!isKnown(file, now) && now.equals(before)) {
        know(file);
        out.add(file);
      }
    }
    return out;
  }

  private boolean isKnown(Path file, Optional<FileStamp> now) {
    State state = known.get(file);
    if (!state.stamp.equals(now)) {
      return false;
    }
    if (state.content.isEmpty()) {
      return true;
    }
    boolean isSame = state.content.equals(ChangeEvents.digest(file));
    if (isSame && !isNew(now)) {
      known.put(file, new State(now, ""));
    }
    return isSame;
  }

  /** Records the current state of the files as known; to be called before they are read. */
  void know(Collection<Path> files) {
    files.forEach(this::know);
  }

  private void know(Path file) {
    Optional<FileStamp> now = stamp(file);
    known.put(file, new State(now, isNew(now) ? ChangeEvents.digest(file) : ""));
  }

  private boolean isNew(Optional<FileStamp> stamp) {
    return stamp.isPresent() && stamp.get().isNewAt(clock.instant());
  }

  private static Optional<FileStamp> stamp(Path file) {
    try {
      return FileStamp.of(file);
    } catch (IOException _) {
      return Optional.empty();
    }
  }
}
