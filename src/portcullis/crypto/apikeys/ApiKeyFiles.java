package portcullis.crypto.apikeys;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import portcullis.crypto.keys.KeyMaterialException;

/** The files of API keys in use, each read once and again when it changes. Thread safe. */
public final class ApiKeyFiles {
  private final Map<Path, Live> files = new ConcurrentHashMap<>();

  /** The keys of a file, now and after each reload, and when they were used. Thread safe. */
  public static final class Live {
    private final Map<String, Instant> lastUse = new ConcurrentHashMap<>();
    private volatile ApiKeyTable table;

    private Live(ApiKeyTable table) {
      this.table = table;
    }

    public ApiKeyTable table() {
      return table;
    }

    /** Records that a key of the table was accepted. */
    public void used(ApiKey key, Instant now) {
      lastUse.put(key.id(), now);
    }

    private void replace(ApiKeyTable next) {
      table = next;
      lastUse.keySet().retainAll(next.keys().stream().map(ApiKey::id).toList());
    }
  }

  /** Returns the keys of this file. @throws KeyMaterialException if it cannot be used */
  public Live open(Path file) throws KeyMaterialException {
    Path place = file.toAbsolutePath().normalize();
    Live known = files.get(place);
    if (known != null) {
      return known;
    }
    Live live = new Live(ApiKeyTable.read(file));
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
    ApiKeyTable next = ApiKeyTable.read(file);
    return () -> files.computeIfPresent(file, (_, live) -> {
      live.replace(next);
      return live;
    });
  }

  /** Returns when keys were last accepted, by id; without those that never were. */
  public Map<String, Instant> lastUses() {
    Map<String, Instant> out = new TreeMap<>();
    files.values().forEach(live -> live.lastUse
        .forEach((id, at) -> out.merge(id, at, (one, other) -> one.isAfter(other) ? one : other)));
    return out;
  }
}
