package portcullis.serve.runtime;

import java.io.IOException;
import java.nio.file.Path;
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
  private final Map<Path, Optional<FileStamp>> known = new HashMap<>();
  private final Map<Path, Optional<FileStamp>> seen = new HashMap<>();

  /** Returns the files that have changed since they were last reported and did not change since the last poll. */
  List<Path> changed(Collection<Path> files) {
    known.keySet().retainAll(files);
    List<Path> out = new ArrayList<>();
    for (Path file : files) {
      Optional<FileStamp> now = stamp(file);
      Optional<FileStamp> before = seen.put(file, now);
      if (known.putIfAbsent(file, now) != null && !known.get(file).equals(now) && now.equals(before)) {
        known.put(file, now);
        out.add(file);
      }
    }
    return out;
  }

  /** Records the current state of the files as known; to be called before they are read. */
  void know(Collection<Path> files) {
    files.forEach(file -> known.put(file, stamp(file)));
  }

  private static Optional<FileStamp> stamp(Path file) {
    try {
      return FileStamp.of(file);
    } catch (IOException _) {
      return Optional.empty();
    }
  }
}
