package portcullis.crypto.session;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import portcullis.crypto.keys.KeyMaterialException;

/** The files of session keys in use, each read once and again when it changes. Thread safe. */
public final class SessionKeyFiles {
  private final Map<Path, Live> files = new ConcurrentHashMap<>();

  /** The keys of a file, now and after each reload. */
  private static final class Live implements Supplier<SessionKeys> {
    private volatile SessionKeys keys;

    Live(SessionKeys keys) {
      this.keys = keys;
    }

    @Override
    public SessionKeys get() {
      return keys;
    }
  }

  /** Returns the keys of this file. @throws KeyMaterialException if it cannot be used */
  public Supplier<SessionKeys> open(Path file) throws KeyMaterialException {
    Path place = file.toAbsolutePath().normalize();
    Live known = files.get(place);
    if (known != null) {
      return known;
    }
    Live live = new Live(SessionKeys.read(file));
    Live earlier = files.putIfAbsent(place, live);
    return earlier == null ? live : earlier;
  }

  /** Returns the files in use. */
  public List<Path> files() {
    return files.keySet().stream().sorted().toList();
  }

  /**
   * Reads a file again and returns the action that puts its keys into use.
   *
   * @throws KeyMaterialException if the file cannot be used
   */
  public Runnable prepared(Path file) throws KeyMaterialException {
    SessionKeys next = SessionKeys.read(file);
    return () -> files.computeIfPresent(file, (_, live) -> {
      live.keys = next;
      return live;
    });
  }
}
