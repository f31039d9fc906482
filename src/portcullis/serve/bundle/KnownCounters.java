package portcullis.serve.bundle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.Set;

/**
 * The bundles that a process has read from state files or recorded there. They still count where the file is removed or
 * an older one is put in its place, as an older bundle could come back otherwise. Thread safe.
 */
public final class KnownCounters {
  /** A process has one or two state files; only configurations that are reloaded name others. */
  private static final int MOST = 100;

  private final LinkedHashMap<Path, CounterFile.Entry> known = new LinkedHashMap<>();
  private final Set<Path> reported = new HashSet<>();
  private final Set<Path> recorded = new HashSet<>();

  /** Returns the entry of a file, or the last one that was known where the file has an older one or is missing. */
  synchronized Optional<CounterFile.Entry> last(CounterFile file) throws BundleException {
    Optional<CounterFile.Entry> read = file.read();
    Optional<CounterFile.Entry> before = Optional.ofNullable(known.get(place(file)));
    if (before.filter(entry -> read.isEmpty() || read.get().counter() < entry.counter()).isPresent()) {
      return before;
    }
    read.ifPresent(entry -> remember(place(file), entry));
    return read;
  }

  /** Returns whether this process has recorded a bundle in the file. */
  synchronized boolean hasRecorded(CounterFile file) {
    return recorded.contains(place(file));
  }

  /** Notes that the file has the entry already. */
  synchronized void keep(CounterFile file) {
    recorded.add(place(file));
  }

  /** Replaces the entry of a file. */
  synchronized void write(CounterFile file, CounterFile.Entry entry) throws IOException {
    file.write(entry);
    remember(place(file), entry);
    recorded.add(place(file));
  }

  /** Returns the counter of a file that was removed or replaced by an older one since it was known, once each time. */
  synchronized Optional<Long> lost(CounterFile file) {
    Path place = place(file);
    return Optional.ofNullable(known.get(place)).filter(entry -> isOlder(file, entry) && reported.add(place))
        .map(CounterFile.Entry::counter);
  }

  private static boolean isOlder(CounterFile file, CounterFile.Entry known) {
    try {
      return Files.notExists(place(file)) || file.read().filter(now -> now.counter() < known.counter()).isPresent();
    } catch (BundleException _) {
      return false; // reported when a bundle is checked
    }
  }

  private void remember(Path place, CounterFile.Entry entry) {
    reported.remove(place);
    known.putLast(place, entry);
    if (known.size() > MOST) {
      Path oldest = known.pollFirstEntry().getKey();
      reported.remove(oldest);
      recorded.remove(oldest);
    }
  }

  private static Path place(CounterFile file) {
    return file.path().toAbsolutePath().normalize();
  }
}
