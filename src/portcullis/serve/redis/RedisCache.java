package portcullis.serve.redis;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import portcullis.observe.telemetry.Log;
import portcullis.policy.cache.Cache;
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

  private static final byte[] USED = {1};
  private static final byte[] RELEASED = {0};
  private static final String PROBLEM = "redis";

  private final RedisOperations.Opener opener;
  private final Seal seal;
  private final InstantSource clock;
  private final Log log;
  private volatile Optional<RedisOperations> store = Optional.empty();
  private volatile long pausedUntil = Long.MIN_VALUE;
  private volatile boolean closed;

  RedisCache(RedisOperations.Opener opener, Seal seal, InstantSource clock, Log log) {
    this.opener = opener;
    this.seal = seal;
    this.clock = clock;
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
    if (isPaused()) {
      return Optional.empty();
    }
    try {
      // one byte more shows that a value was cut
      byte[] found = opened().read(PREFIX + key.hash(), MOST_BYTES + Seal.OVERHEAD + 1);
      recovered();
      return found.length == 0 ? Optional.empty() : seal.opened(key, found);
    } catch (RedisOperations.RedisException e) {
      failed(e);
      return Optional.empty();
    }
  }

  @Override
  public boolean put(CacheKey key, byte[] value, Duration time) {
    Duration kept = time.compareTo(LONGEST) < 0 ? time : LONGEST;
    return value.length <= MOST_BYTES && kept.toMillis() > 0 && write(key, seal.closed(key, value), kept);
  }

  private boolean write(CacheKey key, byte[] value, Duration time) {
    if (isPaused()) {
      return false;
    }
    try {
      opened().write(PREFIX + key.hash(), value, time);
      recovered();
      return true;
    } catch (RedisOperations.RedisException e) {
      failed(e);
      return false;
    }
  }

  @Override
  public boolean isFirst(CacheKey key, String owner, Duration time) throws UnknownException {
    if (!isPaused()) {
      try {
        boolean first = opened().writeNew(PREFIX + "used:" + key.hash(), USED, time);
        recovered();
        return first;
      } catch (RedisOperations.RedisException e) {
        failed(e);
      }
    }
    throw new UnknownException("Redis cannot be used", false);
  }

  @Override
  public Claim claim(CacheKey key, Duration time) {
    if (isPaused()) {
      return Claim.EACH;
    }
    try {
      Claim claim = opened().writeNew(PREFIX + key.hash(), USED, time) ? Claim.OWN
          : Arrays.equals(opened().read(PREFIX + key.hash(), USED.length), USED) ? Claim.OTHER : Claim.EACH;
      recovered();
      return claim;
    } catch (RedisOperations.RedisException e) {
      failed(e);
      return Claim.EACH;
    }
  }

  @Override
  public void release(CacheKey key) {
    write(key, RELEASED, QUIET);
  }

  @Override
  public Result take(CacheKey key, Bucket bucket) throws UnavailableException {
    if (!isPaused()) {
      try {
        String micros = String.format(Locale.ROOT, "%.6f", bucket.nanos() / 1000);
        List<Long> found = opened().run(RedisScript.TAKE, PREFIX + "rate:" + key.hash(),
            List.of(micros, Long.toString(bucket.burst())));
        recovered();
        long full = found.get(1) * 1000;
        return found.getFirst() == 1 ? bucket.allowed(full) : bucket.refused(full);
      } catch (RedisOperations.RedisException e) {
        failed(e);
      }
    }
    throw new UnavailableException("Redis cannot be used");
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
        recovered();
        return new State(Duration.ofMillis(found.getFirst()), found.get(1).intValue(), found.get(2).intValue(),
            found.get(3) == 1);
      } catch (RedisOperations.RedisException e) {
        failed(e);
      }
    }
    throw new UnavailableException("Redis cannot be used");
  }

  @Override
  public boolean forget(String network) throws UnavailableException {
    if (!isPaused()) {
      try {
        boolean wasThere = opened().run(RedisScript.FORGET, lockouts(network), List.of()).getFirst() > 0;
        recovered();
        return wasThere;
      } catch (RedisOperations.RedisException e) {
        failed(e);
      }
    }
    throw new UnavailableException("Redis cannot be used");
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

  /** Begins a pause; each cause is logged once until Redis can be used again. */
  private void failed(RedisOperations.RedisException error) {
    if (closed || Thread.currentThread().isInterrupted()) {
      return;
    }
    pausedUntil = clock.millis() + QUIET.toMillis();
    log.outage(PROBLEM, "Redis cannot be used, responses are not cached", "_error", error.getMessage());
  }

  @Override
  public synchronized void close() {
    closed = true;
    store.ifPresent(RedisOperations::close);
  }
}
