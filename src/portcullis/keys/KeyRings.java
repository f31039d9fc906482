package portcullis.keys;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The key stores in use, each file read once; {@link #reload} reads one anew for all who hold it. Thread safe. */
public final class KeyRings {
  private final Map<Place, Live> rings = new ConcurrentHashMap<>();
  private final InstantSource clock;

  public KeyRings(InstantSource clock) {
    this.clock = clock;
  }

  /** The keys of that file, from now on and after each reload. */
  public Supplier<KeyRing> ring(Path file, String password) throws KeyFault {
    return live(file, password);
  }

  /** The same, where a key of that id is needed: from now on no reload takes a file without it. */
  public Supplier<KeyRing> ring(Path file, String password, Optional<String> keyId) throws KeyFault {
    Live live = live(file, password);
    if (keyId.isPresent()) {
      live.ring.entry(keyId.get());
      live.needed.add(keyId.get());
    }
    return live;
  }

  private Live live(Path file, String password) throws KeyFault {
    Place place = new Place(file.toAbsolutePath().normalize(), password);
    Live known = rings.get(place);
    if (known != null) {
      return known;
    }
    Live live = new Live(KeyRing.read(file, password, clock.instant()));
    Live earlier = rings.putIfAbsent(place, live);
    return earlier == null ? live : earlier;
  }

  /**
   * Reads that file anew. One that cannot be used, or that lacks a key that is needed, leaves its keys as they were.
   *
   * @param file one of {@link #files}
   */
  public void reload(Path file) throws KeyFault {
    for (Map.Entry<Place, Live> one : rings.entrySet()) {
      if (one.getKey().file.equals(file)) {
        KeyRing ring = KeyRing.read(file, one.getKey().password, clock.instant());
        for (String id : one.getValue().needed) {
          entry(ring, id, file);
        }
        one.getValue().ring = ring;
      }
    }
  }

  private static void entry(KeyRing ring, String id, Path file) throws KeyFault {
    try {
      ring.entry(id);
    } catch (KeyFault fault) {
      throw fault.in("key store `" + file + "`");
    }
  }

  /** The key stores in use, by file. */
  public SequencedMap<Path, KeyRing> rings() {
    SequencedMap<Path, KeyRing> out = new TreeMap<>();
    rings.forEach((place, live) -> out.put(place.file, live.ring));
    return out;
  }

  /** The files in use. */
  public List<Path> files() {
    return rings.keySet().stream().map(Place::file).distinct().sorted().toList();
  }

  private record Place(Path file, String password) {
    @Override
    public String toString() {
      return file.toString();
    }
  }

  /** A key store as it is at the moment. */
  private static final class Live implements Supplier<KeyRing> {
    private final Set<String> needed = ConcurrentHashMap.newKeySet();
    private volatile KeyRing ring;

    Live(KeyRing ring) {
      this.ring = ring;
    }

    @Override
    public KeyRing get() {
      return ring;
    }
  }
}
