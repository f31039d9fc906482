package portcullis.cache;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A cache in memory, bounded by bytes and by entries; the oldest entries make room. An entry costs its key, its value and
 * 184 bytes. Thread safe.
 */
public final class MemoryCache implements Cache {
  private static final int COST = 184;

  private final Map<CacheKey, Entry> entries = new LinkedHashMap<>();
  private final long mostBytes;
  private final long mostEntries;
  private final InstantSource clock;
  private long bytes;

  /** @param mostEntries 0 for no bound */
  public MemoryCache(long mostBytes, long mostEntries, InstantSource clock) {
    this.mostBytes = mostBytes;
    this.mostEntries = mostEntries == 0 ? Long.MAX_VALUE : mostEntries;
    this.clock = clock;
  }

  @Override
  public synchronized Optional<byte[]> get(CacheKey key) {
    Entry entry = entries.get(key);
    if (entry == null) {
      return Optional.empty();
    }
    if (!clock.instant().isBefore(entry.until)) {
      drop(key);
      return Optional.empty();
    }
    return Optional.of(entry.value);
  }

  @Override
  public synchronized void put(CacheKey key, byte[] value, Duration time) {
    drop(key);
    Entry entry = new Entry(value, clock.instant().plus(time));
    if (!time.isPositive() || entry.cost(key) > mostBytes) {
      return;
    }
    entries.put(key, entry);
    bytes += entry.cost(key);
    makeRoom();
  }

  private void drop(CacheKey key) {
    Entry gone = entries.remove(key);
    if (gone != null) {
      bytes -= gone.cost(key);
    }
  }

  private void makeRoom() {
    Iterator<Map.Entry<CacheKey, Entry>> oldest = entries.entrySet().iterator();
    while (bytes > mostBytes || entries.size() > mostEntries) {
      Map.Entry<CacheKey, Entry> first = oldest.next();
      bytes -= first.getValue().cost(first.getKey());
      oldest.remove();
    }
  }

  /** How many bytes are in use. */
  public synchronized long bytes() {
    return bytes;
  }

  /** How many entries there are, the expired ones that nobody asked for included. */
  public synchronized int size() {
    return entries.size();
  }

  private record Entry(byte[] value, Instant until) {
    long cost(CacheKey key) {
      return key.hash().length() + (long) value.length + COST;
    }
  }
}
