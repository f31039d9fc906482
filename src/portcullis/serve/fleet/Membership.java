package portcullis.serve.fleet;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import portcullis.observe.telemetry.Log;
import portcullis.serve.redis.SharedRedis;

/**
 * Registers this instance, and reads which others there are. An instance that ends without leaving is forgotten after
 * some heartbeats. For one thread, but for what has been read.
 */
final class Membership {
  static final String INSTANCES = "instances";
  static final Duration HEARTBEAT = Duration.ofSeconds(5);
  /** For as long an instance is known that has no heartbeat any more. */
  static final Duration LIFE = Duration.ofSeconds(15);
  private static final String FOREIGN = "fleet: instances";
  private static final String NAMESAKE = "fleet: name";
  /** The maximum number of instances that are read. */
  private static final int MOST = 1000;

  private final SharedRedis redis;
  private final String name;
  private final String version;
  private final Supplier<Member.Digests> digests;
  private final InstantSource clock;
  private final Log log;
  private final Instant since;
  private final String id;
  private final AtomicLong rejected = new AtomicLong();
  private volatile List<Member> others = List.of();

  Membership(SharedRedis redis, String name, String version, Supplier<Member.Digests> digests, InstantSource clock,
      Log log) {
    this.redis = redis;
    this.name = name;
    this.version = version;
    this.digests = digests;
    this.clock = clock;
    this.log = log;
    this.since = clock.instant();
    byte[] random = new byte[SharedRedis.ID_LENGTH / 2];
    ThreadLocalRandom.current().nextBytes(random); // to be different, not to be unguessable
    this.id = HexFormat.of().formatHex(random);
  }

  /** Returns this instance as it is now. */
  Member own() {
    return new Member(name, version, since, digests.get(), clock.instant());
  }

  /** Shows that this instance is alive, and reads which others are. */
  void beat() throws SharedRedis.UnavailableException {
    Member own = own();
    redis.write(INSTANCES,
        List.of(new SharedRedis.Entry(id, own.seen().toEpochMilli(), own.document(), Optional.of(LIFE))));
    Map<String, Long> versions = redis.ids(INSTANCES);
    List<String> latest = versions.entrySet().stream().filter(one -> !one.getKey().equals(id))
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed()).limit(MOST).map(Map.Entry::getKey).toList();
    List<Member> found = new ArrayList<>();
    List<String> gone = new ArrayList<>();
    boolean[] isForeign = {false};
    redis.read(INSTANCES, latest).forEach((other, entry) -> {
      Optional<Member> member = entry instanceof SharedRedis.Whole(byte[] value) ? Member.read(value)
          : Optional.empty();
      member.ifPresent(found::add);
      if (entry instanceof SharedRedis.Missing) {
        gone.add(other);
      } else if (member.isEmpty()) {
        isForeign[0] = true;
        rejected.incrementAndGet();
      }
    });
    if (!gone.isEmpty()) {
      redis.forget(INSTANCES, gone);
    }
    reportNamesakes(found);
    others = found.stream().sorted(Comparator.comparing(Member::name).thenComparing(Member::since)).toList();
    if (isForeign[0]) {
      log.problem(FOREIGN, "Descriptions of instances in Redis are ignored: the `secret` of an instance is another "
          + "one, and locks made there do not hold here, or another program wrote or damaged them");
    } else {
      log.resolved(FOREIGN, "All descriptions of instances in Redis can be read");
    }
  }

  /** Reports another instance with this name: one that goes on, unlike this one before a crash. */
  private void reportNamesakes(List<Member> found) {
    List<Member> same = found.stream().filter(one -> one.name().equals(name)).toList();
    boolean goesOn = same.stream().anyMatch(one -> others.stream().anyMatch(
        before -> before.name().equals(name) && before.since().equals(one.since())
            && before.seen().isBefore(one.seen())));
    if (goesOn) {
      log.problem(NAMESAKE, "Another instance has the same fleet.name: `origin` of locks and /status do not tell them "
          + "apart", "_name", name);
    } else if (same.isEmpty()) {
      log.resolved(NAMESAKE, "No other instance has the same fleet.name any more");
    }
  }

  /** Takes this instance off the list. */
  void leave() throws SharedRedis.UnavailableException {
    redis.remove(INSTANCES, List.of(id));
  }

  /** Returns the other instances of the last heartbeat. */
  List<Member> others() {
    return others;
  }

  long rejected() {
    return rejected.get();
  }
}
