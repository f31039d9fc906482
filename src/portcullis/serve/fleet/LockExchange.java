package portcullis.serve.fleet;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import portcullis.observe.telemetry.Log;
import portcullis.serve.redis.SharedRedis;

/**
 * Brings the locks of this instance and those in Redis together: what others changed is applied, what they do not know
 * is written, what is missing in Redis is written again. What cannot be read as a change of a lock is left alone and
 * reported once. For one thread, but for {@link #received}.
 */
final class LockExchange {
  static final String LOCKS = "locks";
  private static final String FOREIGN = "fleet: entries";
  private static final String UNANNOUNCED = "fleet: announcements";
  private static final String FULL = "fleet: locks";
  /** The maximum number of changes that are announced one by one. */
  private static final int ANNOUNCED = 100;
  private static final int WRITTEN = 1000;
  /** How long changes are written before something else has its turn. */
  private static final Duration TURN = Duration.ofSeconds(1);

  private final SharedRedis redis;
  private final LockLedger ledger;
  private final String instance;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private final Log log;
  private final AtomicLong rejected = new AtomicLong();
  private Optional<String> revision = Optional.empty();

  LockExchange(SharedRedis redis, LockLedger ledger, String instance, InstantSource clock, LongSupplier nanos,
      Log log) {
    this.redis = redis;
    this.ledger = ledger;
    this.instance = instance;
    this.clock = clock;
    this.nanos = nanos;
    this.log = log;
  }

  /** Writes what others do not know yet; returns whether that was all. */
  boolean send() throws SharedRedis.UnavailableException {
    long begin = nanos.getAsLong();
    for (List<LockChange> some = ledger.pending(WRITTEN); !some.isEmpty(); some = ledger.pending(WRITTEN)) {
      redis.read(LOCKS, some.stream().map(LockChange::id).toList()).forEach(this::later);
      List<SharedRedis.Entry> entries = ledger.pending(WRITTEN).stream().map(this::entry).toList();
      if (!entries.isEmpty()) {
        revision = Optional.empty(); // so that what happens to it meanwhile is noticed
        redis.write(LOCKS, entries);
      }
      if (entries.size() <= ANNOUNCED) {
        announce(entries);
      }
      ledger.shared(some);
      if (nanos.getAsLong() - begin >= TURN.toNanos()) {
        return ledger.pending() == 0;
      }
    }
    return true;
  }

  private void announce(List<SharedRedis.Entry> entries) throws SharedRedis.UnavailableException {
    try {
      for (SharedRedis.Entry entry : entries) {
        redis.announce(LOCKS, entry);
      }
      if (!entries.isEmpty()) {
        log.resolved(UNANNOUNCED, "Changes of locks are announced again");
      }
    } catch (SharedRedis.UnavailableException e) {
      if (!e.isForbidden()) {
        throw e;
      }
      log.problem(UNANNOUNCED, "Changes of locks are not announced: other instances find them up to a second later",
          "_error", e.getMessage());
    }
  }

  /** Applies a later change than that which is about to be written in its place. */
  private void later(String id, SharedRedis.Found found) {
    if (found instanceof SharedRedis.Whole) {
      received(id, found);
    }
  }

  private SharedRedis.Entry entry(LockChange change) {
    Optional<Duration> left = change.until().map(end -> Duration.between(clock.instant(), end));
    return new SharedRedis.Entry(change.id(), change.at(), change.document(instance), left);
  }

  /** Reads what others changed since the last time, if they did. */
  void receive() throws SharedRedis.UnavailableException {
    String now = redis.revision(LOCKS);
    if (!revision.equals(Optional.of(now))) {
      compare(now, false);
    }
  }

  /** Compares all locks with those in Redis, and replaces what is damaged there. */
  void compare() throws SharedRedis.UnavailableException {
    compare(redis.revision(LOCKS), true);
  }

  private void compare(String now, boolean replaces) throws SharedRedis.UnavailableException {
    Map<String, Long> versions = redis.ids(LOCKS);
    List<String> own = ledger.ids();
    List<String> ended = new ArrayList<>();
    long before = rejected.get();
    redis.read(LOCKS, versions.keySet().stream().filter(id -> version(id) != versions.get(id)).toList())
        .forEach((id, found) -> {
          if (found instanceof SharedRedis.Missing) {
            ended.add(id);
          } else {
            received(id, found);
          }
          if (replaces && found instanceof SharedRedis.Foreign) {
            ledger.share(List.of(id));
          }
        });
    // what others lack or have in an earlier state: after a failover, or when somebody has emptied Redis
    ledger.share(own.stream().filter(id -> !versions.containsKey(id) || versions.get(id) < version(id)).toList());
    ledger.share(ended);
    ended.removeIf(id -> ledger.change(id).isPresent());
    if (!ended.isEmpty()) {
      redis.forget(LOCKS, ended);
    }
    revision = Optional.of(now);
    if (rejected.get() == before) {
      log.resolved(FOREIGN, "All entries in Redis can be read");
    }
  }

  /** Returns the version of a lock that this instance knows; that of none is never in Redis. */
  private long version(String id) {
    return ledger.change(id).map(LockChange::at).orElse(-1L);
  }

  /** Applies what is in Redis, or was announced; for any thread. */
  void received(String id, SharedRedis.Found found) {
    Optional<LockChange> change = found instanceof SharedRedis.Whole(byte[] value)
        ? LockChange.read(id, value).map(read -> read.seenBy(instance))
        : Optional.empty();
    if (change.isEmpty()) {
      rejected.incrementAndGet();
      log.problem(FOREIGN, "Entries in Redis are ignored, so that locks of other instances may not hold here: the "
          + "`secret` of an instance is another one, or another program wrote or damaged them");
      return;
    }
    Optional<String> obstacle = ledger.apply(change.get());
    if (obstacle.isPresent()) {
      log.problem(FULL, "Locks of other instances do not hold here", "_error", obstacle.get());
    } else {
      log.resolved(FULL, "Locks of other instances hold here again");
    }
  }

  /** Returns how many entries and messages were not changes of locks. */
  long rejected() {
    return rejected.get();
  }
}
