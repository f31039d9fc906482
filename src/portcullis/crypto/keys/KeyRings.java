package portcullis.crypto.keys;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/** The key stores in use, each read once; {@link #prepared} reads a file again for all holders. Thread safe. */
public final class KeyRings {
  private final Map<Place, Live> rings = new ConcurrentHashMap<>();
  private final Set<Use> uses = ConcurrentHashMap.newKeySet();
  private final Set<Use> shown = ConcurrentHashMap.newKeySet();
  private final InstantSource clock;

  public KeyRings(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * Returns the keys of the file, now and after each reload; from now on a reload fails if the file lacks the key of
   * that id.
   */
  public Supplier<KeyRing> ring(Path file, String password, Optional<String> keyId) throws KeyMaterialException {
    return ring(KeyStoreFiles.one(file), password, keyId);
  }

  private Live ring(KeyStoreFiles files, String password, Optional<String> keyId) throws KeyMaterialException {
    Live live = live(files, password);
    if (keyId.isPresent()) {
      live.ring.entry(keyId.get());
      live.needed.add(keyId.get());
    }
    return live;
  }

  /**
   * Returns the keys of the files like {@link #ring}; the key (the first one without an id) is presented to peers that
   * request a certificate.
   */
  public Supplier<KeyRing> shown(KeyStoreFiles files, String password, Optional<String> keyId)
      throws KeyMaterialException {
    Live ring = ring(files, password, keyId);
    shown.add(new Use(ring, keyId, Optional.empty()));
    return ring;
  }

  /** Returns the keys whose certificates are shown to remote peers. */
  public List<KeyEntry> shown() {
    List<KeyEntry> out = new ArrayList<>();
    for (Use use : shown) {
      try {
        out.add(use.keyId.isPresent() ? use.live.ring.entry(use.keyId.get()) : use.live.ring.first());
      } catch (KeyMaterialException e) {
        throw new IllegalStateException(e); // not renewed without it
      }
    }
    return out;
  }

  /**
   * Returns the keys of the file of a key that signs from now on; all keys of the file are published.
   *
   * @param keyId empty for the first one
   * @param algorithm empty for the default of the key
   * @throws KeyMaterialException also if the key signs with another algorithm already: the id of a key must determine
   *     its algorithm for those who verify (RFC 8725, 3.1)
   */
  public Supplier<KeyRing> signing(Path file, String password, Optional<String> keyId, Optional<Algorithm> algorithm)
      throws KeyMaterialException {
    Live live = live(KeyStoreFiles.one(file), password);
    Use use = new Use(live, keyId, algorithm);
    if (!uses.contains(use)) {
      add(use);
    }
    return live;
  }

  private synchronized void add(Use use) throws KeyMaterialException {
    Map<String, Algorithm> ways = ways(live -> live.ring);
    KeyEntry key = use.key(use.live.ring);
    one(ways, key);
    uses.add(use);
  }

  private Map<String, Algorithm> ways(Function<Live, KeyRing> rings) throws KeyMaterialException {
    Map<String, Algorithm> out = new HashMap<>();
    for (Use use : uses) {
      KeyEntry key = use.key(rings.apply(use.live));
      one(out, key);
    }
    return out;
  }

  private static void one(Map<String, Algorithm> ways, KeyEntry key) throws KeyMaterialException {
    Algorithm known = ways.putIfAbsent(key.id(), key.algorithm());
    if (known != null && known != key.algorithm()) {
      throw new KeyMaterialException(
          "key `" + key.id() + "` would sign both " + known.text() + " and " + key.algorithm().text()
              + ", a key signs in one way only (RFC 8725, 3.1): give each a key of its own");
    }
  }

  /** Returns all keys of the files with signing keys, each with the algorithm that it signs with or is for. */
  public synchronized List<KeyEntry> published() {
    try {
      Map<String, Algorithm> ways = ways(live -> live.ring);
      return uses.stream().map(Use::live).distinct().flatMap(live -> live.ring.entries().stream())
          .map(entry -> entry.signing(ways.getOrDefault(entry.id(), entry.algorithm())))
          .sorted(Comparator.comparing(KeyEntry::id)).toList();
    } catch (KeyMaterialException e) {
      throw new IllegalStateException(e); // neither taken nor renewed where they do not agree
    }
  }

  private synchronized Live live(KeyStoreFiles files, String password) throws KeyMaterialException {
    Place place = new Place(files, password);
    Live known = rings.get(place);
    if (known != null) {
      return known;
    }
    Live live = new Live(KeyRing.read(files, password, clock.instant()));
    rings.put(place, live);
    return live;
  }

  /**
   * Reads that file again and returns an action that starts to use its keys; nothing changes before.
   *
   * @throws KeyMaterialException where the file cannot be used, or lacks a key that is needed
   */
  public synchronized Runnable prepared(Path file) throws KeyMaterialException {
    Map<Live, KeyRing> next = new HashMap<>();
    for (Map.Entry<Place, Live> one : rings.entrySet()) {
      if (one.getKey().files.all().contains(file)) {
        KeyRing ring = KeyRing.read(one.getKey().files, one.getKey().password, clock.instant());
        for (String id : one.getValue().needed) {
          entry(ring, id, one.getKey().files.keys());
        }
        next.put(one.getValue(), ring);
      }
    }
    agree(next, file);
    return () -> next.forEach((live, ring) -> live.ring = ring);
  }

  private void agree(Map<Live, KeyRing> next, Path file) throws KeyMaterialException {
    try {
      ways(live -> next.getOrDefault(live, live.ring));
    } catch (KeyMaterialException error) {
      throw error.in("key store `" + file + "`");
    }
  }

  private static void entry(KeyRing ring, String id, Path file) throws KeyMaterialException {
    try {
      ring.entry(id);
    } catch (KeyMaterialException error) {
      throw error.in("key store `" + file + "`");
    }
  }

  /** Returns the key stores in use, by the file of the keys. */
  public SequencedMap<Path, KeyRing> rings() {
    SequencedMap<Path, KeyRing> out = new TreeMap<>();
    rings.forEach((place, live) -> out.put(place.files.keys(), live.ring));
    return out;
  }

  /** Returns the files in use. */
  public List<Path> files() {
    return rings.keySet().stream().flatMap(place -> place.files.all().stream()).distinct().sorted().toList();
  }

  /** Returns the file of the keys of the key store that this file is of. */
  public Path store(Path file) {
    return rings.keySet().stream().map(Place::files).filter(files -> files.all().contains(file))
        .map(KeyStoreFiles::keys).sorted().findFirst().orElse(file);
  }

  private record Place(KeyStoreFiles files, String password) {
    @Override
    public String toString() {
      return files.keys().toString();
    }
  }

  /** A key that is used for signing. */
  private record Use(Live live, Optional<String> keyId, Optional<Algorithm> algorithm) {
    KeyEntry key(KeyRing ring) throws KeyMaterialException {
      KeyEntry key = keyId.isPresent() ? ring.entry(keyId.get()) : ring.first();
      return key.signing(algorithm.orElse(key.algorithm()));
    }
  }

  /** The current content of a key store. */
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
