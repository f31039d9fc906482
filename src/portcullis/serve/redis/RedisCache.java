package portcullis.serve.redis;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import portcullis.observe.telemetry.Log;
import portcullis.policy.cache.Cache;
import portcullis.policy.cache.CacheException;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.cache.UsedOnce;
import portcullis.policy.limit.Bucket;
import portcullis.policy.limit.Lockout;
import portcullis.policy.limit.LockoutStore;
import portcullis.policy.limit.Lockouts;
import portcullis.policy.limit.RateStore;

/**
 * A cache in Redis, which several instances may share. If Redis cannot be used, nothing is stored or found, which costs
 * calls but never changes a decision; it is tried again a second later. Values of more than a mebibyte are not stored,
 * and longer ones are never read. What may be used once is not accepted while Redis cannot be used. Thread safe.
 */
public final class RedisCache implements Cache, UsedOnce, RateStore, LockoutStore, AutoCloseable {
  static final int MOST_BYTES = 1 << 20;
  static final Duration QUIET = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofDays(3650);
  static final String PREFIX = "portcullis:";
  /** The prefix of copies, which are sealed together with their end; programs before that have theirs beside them. */
  static final String COPIES = PREFIX + "2:";
  private static final Duration CLOCK_SKEW = Duration.ofMinutes(1);

  private static final byte USED = 1;
  private static final int MARK_BYTES = 17;
  private static final byte[] RELEASED = {0};
  private static final String PROBLEM = "redis";
  private static final String REFUSING = "redis: refused";
  private static final String UNUSABLE = "Redis cannot be used";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final RedisOperations.Opener opener;
  private final Seal seal;
  private final InstantSource clock;
  private final InstantSource wall;
  private final Log log;
  private volatile Optional<RedisOperations> store = Optional.empty();
  private volatile long pausedUntil = Long.MIN_VALUE;
  /** Why Redis could not be used the last time. */
  private volatile String reason = UNUSABLE;
  private volatile boolean closed;

  /**
   * @param clock that only advances
   * @param wall the time of day, which instances have in common
   */
  RedisCache(RedisOperations.Opener opener, Seal seal, InstantSource clock, InstantSource wall, Log log) {
    this.opener = opener;
    this.seal = seal;
    this.clock = clock;
    this.wall = wall;
    this.log = log;
  }

  /** Returns why Redis cannot be used; empty if it can. */
  public Optional<String> problem() {
    try {
      opened().ping();
      return Optional.empty();
    } catch (RedisOperations.RedisException e) {
      return Optional.of(e.getMessage());
    }
  }

  @Override
  public Optional<byte[]> get(CacheKey key) {
    try {
      return read(COPIES, key, MOST_BYTES + Long.BYTES).flatMap(found -> seal.opened(withEnd(key), found))
          .flatMap(this::unexpired);
    } catch (CacheException _) {
      return Optional.empty();
    }
  }

  @Override
  public Optional<byte[]> find(CacheKey key) throws CacheException {
    return read(PREFIX, key, MOST_BYTES).flatMap(found -> seal.opened(key, found));
  }

  private Optional<byte[]> read(String prefix, CacheKey key, int most) throws CacheException {
    if (isPaused()) {
      throw new CacheException(reason);
    }
    try {
      // one byte more shows that a value was cut
      byte[] found = opened().read(prefix + key.hash(), most + Seal.OVERHEAD + 1);
      recovered();
      return found.length == 0 ? Optional.empty() : Optional.of(found);
    } catch (RedisOperations.RedisException e) {
      failed(e);
      throw new CacheException(e.getMessage());
    }
  }

  @Override
  public boolean put(CacheKey key, byte[] value, Duration time) {
    Duration kept = kept(time);
    if (!fits(value, kept)) {
      return false;
    }
    byte[] dated = ByteBuffer.allocate(Long.BYTES + value.length).putLong(wall.millis() + kept.toMillis()).put(value)
        .array();
    return write(COPIES, key, seal.closed(withEnd(key), dated), kept);
  }

  /** The id of what is sealed together with its end. */
  private static CacheKey withEnd(CacheKey key) {
    return CacheKey.of("with its end", key.hash());
  }

  /**
   * Returns the value, unless its end is over: Redis removes it then, but who may write to Redis could put it back
   * later. The clocks of instances may differ a little.
   */
  private Optional<byte[]> unexpired(byte[] dated) {
    boolean over = dated.length < Long.BYTES
        || wall.millis() > ByteBuffer.wrap(dated).getLong() + CLOCK_SKEW.toMillis();
    return over ? Optional.empty() : Optional.of(Arrays.copyOfRange(dated, Long.BYTES, dated.length));
  }

  @Override
  public void store(CacheKey key, byte[] value, Duration time) throws CacheException {
    Duration kept = kept(time);
    if (fits(value, kept)) {
      written(PREFIX, key, seal.closed(key, value), kept);
    }
  }

  private static Duration kept(Duration time) {
    return time.compareTo(LONGEST) < 0 ? time : LONGEST;
  }

  private static boolean fits(byte[] value, Duration kept) {
    return value.length <= MOST_BYTES && kept.toMillis() > 0;
  }

  private boolean write(String prefix, CacheKey key, byte[] value, Duration time) {
    try {
      written(prefix, key, value, time);
      return true;
    } catch (CacheException _) {
      return false;
    }
  }

  private void written(String prefix, CacheKey key, byte[] value, Duration time) throws CacheException {
    if (isPaused()) {
      throw new CacheException(reason);
    }
    try {
      opened().write(prefix + key.hash(), value, time);
      changed();
    } catch (RedisOperations.RedisException e) {
      failed(e);
      throw new CacheException(e.getMessage());
    }
  }

  @Override
  public boolean isFirst(CacheKey key, String owner, Duration time) throws UnknownException {
    if (!isPaused()) {
      try {
        boolean first = marked(PREFIX + "used:" + key.hash(), mark(), time).isEmpty();
        changed();
        return first;
      } catch (RedisOperations.RedisException e) {
        failed(e);
      }
    }
    throw new UnknownException(UNUSABLE, false);
  }

  @Override
  public Claim claim(CacheKey key, Duration time) {
    if (isPaused()) {
      return Claim.EACH;
    }
    try {
      Optional<byte[]> other = marked(COPIES + key.hash(), mark(), time);
      changed();
      return other.isEmpty() ? Claim.OWN : other.filter(RedisCache::isMark).isPresent() ? Claim.OTHER : Claim.EACH;
    } catch (RedisOperations.RedisException e) {
      failed(e);
      return Claim.EACH;
    }
  }

  /** Writes a mark unless there is something; returns what there is. */
  private Optional<byte[]> marked(String key, byte[] mark, Duration time) throws RedisOperations.RedisException {
    if (opened().writeNew(key, mark, time)) {
      return Optional.empty();
    }
    byte[] found = opened().read(key, MARK_BYTES + 1);
    return Arrays.equals(found, mark) ? Optional.empty() : Optional.of(found); // written, but the response was lost
  }

  /** Returns a mark that no other call has. */
  private static byte[] mark() {
    byte[] out = new byte[MARK_BYTES];
    RANDOM.nextBytes(out);
    out[0] = USED;
    return out;
  }

  /** Returns whether a value is a mark; programs before had a single byte. A value that is sealed is longer. */
  private static boolean isMark(byte[] value) {
    return value.length > 0 && value.length <= MARK_BYTES && value[0] == USED;
  }

  @Override
  public void release(CacheKey key) {
    write(COPIES, key, RELEASED, QUIET);
  }

  @Override
  public Result take(CacheKey key, Bucket bucket) throws UnavailableException {
    if (!isPaused()) {
      try {
        String micros = String.format(Locale.ROOT, "%.6f", bucket.nanos() / 1000);
        List<Long> found = opened().run(RedisScript.TAKE, PREFIX + "rate:" + key.hash(),
            List.of(micros, Long.toString(bucket.burst())));
        changed();
        long full = found.get(1) * 1000;
        return found.getFirst() == 1 ? bucket.allowed(full) : bucket.refused(full);
      } catch (RedisOperations.RedisException e) {
        failed(e);
      }
    }
    throw new UnavailableException(UNUSABLE);
  }

  @Override
  public State record(CacheKey credential, String network, Lockout settings, boolean right)
      throws UnavailableException {
    if (!isPaused()) {
      try {
        List<Long> found = opened().run(RedisScript.ATTEMPT, lockouts(network),
            List.of(credential.hash(), right ? "1" : "0", Integer.toString(Lockouts.MOST_OF_NETWORK),
                Integer.toString(settings.attempts()), millis(settings.within()), millis(settings.time()),
                millis(settings.most())));
        changed();
        return new State(Duration.ofMillis(found.getFirst()), found.get(1).intValue(), found.get(2).intValue(),
            found.get(3) == 1);
      } catch (RedisOperations.RedisException e) {
        failed(e);
      }
    }
    throw new UnavailableException(UNUSABLE);
  }

  @Override
  public boolean forget(String network) throws UnavailableException {
    if (!isPaused()) {
      try {
        boolean wasThere = opened().run(RedisScript.FORGET, lockouts(network), List.of()).getFirst() > 0;
        changed();
        return wasThere;
      } catch (RedisOperations.RedisException e) {
        failed(e);
      }
    }
    throw new UnavailableException(UNUSABLE);
  }

  private static String lockouts(String network) {
    return PREFIX + "lockout:" + CacheKey.of("lockout network", network).hash();
  }

  private static String millis(Duration time) {
    return Long.toString(Math.max(1, time.toMillis()));
  }

  private RedisOperations opened() throws RedisOperations.RedisException {
    Optional<RedisOperations> known = store;
    return known.isPresent() ? known.get() : open();
  }

  private synchronized RedisOperations open() throws RedisOperations.RedisException {
    if (store.isEmpty()) {
      store = Optional.of(opener.open());
    }
    return store.get();
  }

  private boolean isPaused() {
    long until = pausedUntil;
    return closed || until != Long.MIN_VALUE && clock.millis() < until;
  }

  /** Checks the connection, so that a loss is noticed without requests too. */
  public void probe() {
    if (isPaused()) {
      return;
    }
    try {
      opened().ping();
      recovered();
    } catch (RedisOperations.RedisException e) {
      failed(e);
    }
  }

  private void recovered() {
    if (pausedUntil != Long.MIN_VALUE) {
      pausedUntil = Long.MIN_VALUE;
      log.resolved(PROBLEM, "Redis can be used again");
    }
  }

  private void changed() {
    recovered();
    log.resolved(REFUSING, "Redis does what it is asked for again");
  }

  /** Begins a pause, unless Redis answers; each cause is logged once until Redis can be used again. */
  private void failed(RedisOperations.RedisException error) {
    if (closed || Thread.currentThread().isInterrupted()) {
      return;
    }
    if (error.isRefused()) {
      log.outage(REFUSING, "Redis refuses commands", "_error", error.getMessage());
      return;
    }
    reason = error.getMessage();
    pausedUntil = clock.millis() + QUIET.toMillis();
    log.outage(PROBLEM, "Redis cannot be used, responses are not cached", "_error", error.getMessage());
  }

  @Override
  public synchronized void close() {
    closed = true;
    store.ifPresent(RedisOperations::close);
  }
}
