package portcullis.serve.redis;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import portcullis.observe.telemetry.Log;
import portcullis.policy.cache.Cache;
import portcullis.policy.cache.CacheKey;

/**
 * A cache in Redis, which several instances may share. Where Redis cannot be used, nothing is kept and nothing is
 * found: that costs calls, never a decision; it is tried again a second later. Values of more than a mebibyte are not
 * kept, and nothing longer is ever read. Thread safe.
 */
public final class RedisCache implements Cache, AutoCloseable {
  static final int MOST_BYTES = 1 << 20;
  static final Duration QUIET = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofDays(3650);
  static final String PREFIX = "portcullis:";

  private final Store.Opener opener;
  private final Seal seal;
  private final InstantSource clock;
  private final Log log;
  private volatile Optional<Store> store = Optional.empty();
  private volatile long quietUntil = Long.MIN_VALUE;
  private volatile boolean closed;

  RedisCache(Store.Opener opener, Seal seal, InstantSource clock, Log log) {
    this.opener = opener;
    this.seal = seal;
    this.clock = clock;
    this.log = log;
  }

  /** What is wrong with Redis; empty where it can be used. */
  public Optional<String> trouble() {
    try {
      opened().ping();
      return Optional.empty();
    } catch (Store.Fault e) {
      return Optional.of(e.getMessage());
    }
  }

  @Override
  public Optional<byte[]> get(CacheKey key) {
    if (isQuiet()) {
      return Optional.empty();
    }
    try {
      // one byte more shows that a value was cut
      byte[] found = opened().read(PREFIX + key.hash(), MOST_BYTES + Seal.OVERHEAD + 1);
      well();
      return found.length == 0 ? Optional.empty() : seal.opened(key, found);
    } catch (Store.Fault e) {
      unwell(e);
      return Optional.empty();
    }
  }

  @Override
  public void put(CacheKey key, byte[] value, Duration time) {
    if (isQuiet() || value.length > MOST_BYTES || time.compareTo(Duration.ofMillis(1)) < 0) {
      return;
    }
    try {
      Duration kept = time.compareTo(LONGEST) < 0 ? time : LONGEST;
      opened().write(PREFIX + key.hash(), seal.closed(key, value), kept);
      well();
    } catch (Store.Fault e) {
      unwell(e);
    }
  }

  private Store opened() throws Store.Fault {
    Optional<Store> known = store;
    return known.isPresent() ? known.get() : open();
  }

  private synchronized Store open() throws Store.Fault {
    if (store.isEmpty()) {
      store = Optional.of(opener.open());
    }
    return store.get();
  }

  private boolean isQuiet() {
    long until = quietUntil;
    return closed || until != Long.MIN_VALUE && clock.millis() < until;
  }

  private void well() {
    if (quietUntil != Long.MIN_VALUE) {
      quietUntil = Long.MIN_VALUE;
      log.info("Redis can be used again");
    }
  }

  /** Said once, until it can be used again. */
  private void unwell(Store.Fault fault) {
    if (closed || Thread.currentThread().isInterrupted()) {
      return;
    }
    boolean first = quietUntil == Long.MIN_VALUE;
    quietUntil = clock.millis() + QUIET.toMillis();
    if (first) {
      log.warn("Redis cannot be used, answers are not kept", "_error", fault.getMessage());
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    store.ifPresent(Store::close);
  }
}
