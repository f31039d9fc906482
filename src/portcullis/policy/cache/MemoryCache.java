package portcullis.policy.cache;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A cache in memory, bounded by bytes and by entries: the oldest entries are evicted, and each new one removes up to
 * two expired ones. An entry takes its key, its value and 184 bytes. Thread safe; lookups of valid entries do not
 * block.
 */
public final class MemoryCache implements Cache {
  private static final int COST = 184;
  private static final int INSPECTED = 2;
  private static final Duration LONGEST = Duration.ofDays(36500);

  private final Map<CacheKey, Entry> entries = new ConcurrentHashMap<>();
  private final ReentrantLock change = new ReentrantLock();
  private final Entry ends = new Entry(new CacheKey(""), new byte[0], Long.MAX_VALUE);
  private final long mostBytes;
  private final long mostEntries;
  private final InstantSource clock;
  private volatile long bytes;
  private Entry inspected = ends;

  /** @param mostEntries 0 for no limit */
  public MemoryCache(long mostBytes, long mostEntries, InstantSource clock) {
    this.mostBytes = mostBytes;
    this.mostEntries = mostEntries == 0 ? Long.MAX_VALUE : mostEntries;
    this.clock = clock;
  }

  @Override
  public Optional<byte[]> get(CacheKey key) {
    Entry entry = entries.get(key);
    if (entry == null) {
      return Optional.empty();
    }
    if (entry.until > clock.millis()) {
      return entry.value;
    }
    change.lock();
    try {
      remove(entry);
    } finally {
      change.unlock();
    }
    return Optional.empty();
  }

  @Override
  public boolean put(CacheKey key, byte[] value, Duration time) {
    long now = clock.millis();
    Entry entry = new Entry(key, value, now + millis(time));
    change.lock();
    try {
      Entry earlier = entries.get(key);
      if (earlier != null) {
        remove(earlier);
      }
      if (entry.until > now && entry.cost <= mostBytes) {
        add(entry);
        removeExpired(now);
        makeRoom();
      }
      return false;
    } finally {
      change.unlock();
    }
  }

  private static long millis(Duration time) {
    return (time.compareTo(LONGEST) < 0 ? time : LONGEST).toMillis();
  }

  private void add(Entry entry) {
    entries.put(entry.key, entry);
    entry.link(ends.older, ends);
    bytes = bytes + entry.cost;
  }

  private void remove(Entry entry) {
    if (entries.remove(entry.key, entry)) {
      if (inspected == entry) {
        inspected = entry.newer;
      }
      entry.unlink();
      bytes = bytes - entry.cost;
    }
  }

  /**
   * Inspects a few entries at a time, in turn, so that expired entries that are not requested any more are removed.
   */
  private void removeExpired(long now) {
    for (int i = 0; i < INSPECTED; i++) {
      Entry entry = inspected;
      inspected = entry.newer;
      if (entry.until <= now) {
        remove(entry);
      }
    }
  }

  private void makeRoom() {
    while (bytes > mostBytes || entries.size() > mostEntries) {
      remove(ends.newer);
    }
  }

  /** Returns the number of bytes in use. */
  public long bytes() {
    return bytes;
  }

  /** Returns the number of entries, including expired ones that are not removed yet. */
  public int size() {
    return entries.size();
  }

  @Override
  public Optional<Load> load() {
    return Optional.of(new Load("in-memory", size(), bytes));
  }

  /** An entry in the ring of all entries by age, which {@link #ends} closes. */
  private static final class Entry {
    final CacheKey key;
    final Optional<byte[]> value;
    final long until;
    final long cost;
    Entry older = this;
    Entry newer = this;

    Entry(CacheKey key, byte[] value, long until) {
      this.key = key;
      this.value = Optional.of(value);
      this.until = until;
      cost = key.hash().length() + (long) value.length + COST;
    }

    void link(Entry before, Entry behind) {
      older = before;
      newer = behind;
      before.newer = this;
      behind.older = this;
    }

    void unlink() {
      older.newer = newer;
      newer.older = older;
    }
  }
}
