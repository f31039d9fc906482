package portcullis.serve.debug;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * Keeps explanations of requests by random ids: a limited number of them, of limited size, for a limited time. The
 * oldest ones go first. Thread safe.
 */
public final class ExplanationStore {
  private static final int ID_BYTES = 16;
  /** About what an entry takes besides its strings. */
  private static final int OVERHEAD = 300;

  private final SecureRandom random = new SecureRandom();
  private final DebugSettings settings;
  private final InstantSource clock;
  private final SequencedMap<String, Entry> entries = new LinkedHashMap<>();
  private long size;

  public ExplanationStore(DebugSettings settings, InstantSource clock) {
    this.settings = settings;
    this.clock = clock;
  }

  private record Entry(byte[] json, byte[] text, Instant expiry) {
    long size() {
      return json.length + text.length + OVERHEAD;
    }
  }

  /** Returns the id of a new explanation; empty if it alone is larger than all of them may be. */
  public Optional<String> add(String json, String text) {
    Entry entry = new Entry(json.getBytes(StandardCharsets.UTF_8), text.getBytes(StandardCharsets.UTF_8),
        clock.instant().plus(settings.keep()));
    if (entry.size() > settings.mostBytes()) {
      return Optional.empty();
    }
    byte[] id = new byte[ID_BYTES];
    random.nextBytes(id);
    String name = HexFormat.of().formatHex(id);
    synchronized (this) {
      entries.put(name, entry);
      size += entry.size();
      while (entries.size() > settings.most() || size > settings.mostBytes() || isExpired()) {
        size -= entries.pollFirstEntry().getValue().size();
      }
    }
    return Optional.of(name);
  }

  private boolean isExpired() {
    return !entries.isEmpty() && !clock.instant().isBefore(entries.firstEntry().getValue().expiry());
  }

  private synchronized Optional<Entry> entry(String id) {
    while (isExpired()) {
      size -= entries.pollFirstEntry().getValue().size();
    }
    return Optional.ofNullable(entries.get(id));
  }

  /** Returns the explanation for programs; empty if it is not there, or not any more. */
  public Optional<String> json(String id) {
    return entry(id).map(entry -> new String(entry.json(), StandardCharsets.UTF_8));
  }

  /** Returns the explanation for people; empty if it is not there, or not any more. */
  public Optional<String> text(String id) {
    return entry(id).map(entry -> new String(entry.text(), StandardCharsets.UTF_8));
  }
}
