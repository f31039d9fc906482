package portcullis.keys;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The key stores in use, each file read once; {@link #reload} reads them anew for all who hold one. Thread safe. */
public final class KeyRings {
  private final Map<Place, Live> rings = new ConcurrentHashMap<>();
  private final InstantSource clock;

  public KeyRings(InstantSource clock) {
    this.clock = clock;
  }

  /** The keys of that file, from now on and after each reload. */
  public Supplier<KeyRing> ring(Path file, String password) throws KeyFault {
    Place place = new Place(file.toAbsolutePath().normalize(), password);
    Live known = rings.get(place);
    if (known != null) {
      return known;
    }
    Live live = new Live(KeyRing.read(file, password, clock.instant()));
    Live earlier = rings.putIfAbsent(place, live);
    return earlier == null ? live : earlier;
  }

  /** Reads all files anew; a file that cannot be used leaves its keys as they were and is among the faults. */
  public List<KeyFault> reload() {
    List<KeyFault> faults = new ArrayList<>();
    rings.forEach((place, live) -> {
      try {
        live.ring = KeyRing.read(place.file, place.password, clock.instant());
      } catch (KeyFault e) {
        faults.add(e);
      }
    });
    return faults;
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
