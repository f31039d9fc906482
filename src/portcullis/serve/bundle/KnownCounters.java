package portcullis.serve.bundle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.Set;

/**
 * The bundles that a process has read from state files or recorded there. They still count where the file is removed,
 * as an older bundle could come back otherwise. Thread safe.
 */
public final class KnownCounters {
  /** A process has one or two state files; only configurations that are reloaded name others. */
  private static final int MOST = 100;

  private final LinkedHashMap<Path, CounterFile.Entry> known = new LinkedHashMap<>();
  private final Set<Path> reported = new HashSet<>();

  /** Returns the entry of a file, or the last one that was known where the file is missing. */
  synchronized Optional<CounterFile.Entry> last(CounterFile file) throws BundleException {
    Optional<CounterFile.Entry> read = file.read();
    read.ifPresent(entry -> remember(place(file), entry));
    return read.or(() -> Optional.ofNullable(known.get(place(file))));
  }

  /** Replaces the entry of a file. */
  synchronized void write(CounterFile file, CounterFile.Entry entry) throws IOException {
    file.write(entry);
    remember(place(file), entry);
  }

  /** Returns the counter of a file that was removed since it was known, once for each removal. */
  synchronized Optional<Long> removed(CounterFile file) {
    Path place = place(file);
    return Optional.ofNullable(known.get(place)).filter(_ -> Files.notExists(place) && reported.add(place))
        .map(CounterFile.Entry::counter);
  }

  private void remember(Path place, CounterFile.Entry entry) {
    reported.remove(place);
    known.putLast(place, entry);
    if (known.size() > MOST) {
      reported.remove(known.pollFirstEntry().getKey());
    }
  }

  private static Path place(CounterFile file) {
    return file.path().toAbsolutePath().normalize();
  }
}
