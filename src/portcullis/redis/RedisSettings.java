package portcullis.redis;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.config.Parts;
import portcullis.source.Origin;
import portcullis.source.Problems;
import portcullis.telemetry.Log;

/**
 * How answers are kept in Redis; immutable.
 *
 * @param patience how long to wait for a connection or an answer
 * @param secret closes what is kept, the same for all instances
 * @param at where it is configured
 */
public record RedisSettings(RedisPlace place, Optional<Login.Settings> login, Secrecy.Settings tls, Duration patience,
    Optional<String> secret, Origin at) {
  private static final int SHORTEST_SECRET = 16;
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PATIENCE = Duration.ofSeconds(10);
  private static final Key<Integer> DB = Key.standard("db", Decoders.number(0, 1_000_000), 0, "the number of the data base");

  /** The types of caches in Redis, and how the settings of each are read. */
  public static final Map<String, Decoder<RedisSettings>> TYPES = Map.of("redis", node(), "redis-sentinel", sentinels(), "redis-cluster", cluster());

  private static Decoder<RedisSettings> node() {
    Key<RedisPlace.Address> address = Key.required("address", RedisPlace.Address.decoder(RedisPlace.PORT), "host and port");
    return with(List.of(address, DB), p -> new RedisPlace.Node(p.get(address), p.get(DB)));
  }

  private static Decoder<RedisSettings> sentinels() {
    Key<List<RedisPlace.Address>> nodes =
        Key.required("nodes", Decoders.list(RedisPlace.Address.decoder(RedisPlace.SENTINEL_PORT), 1), "the sentinels");
    Key<String> master = Key.required("master", Decoders.nonEmpty(), "the name of the master that they watch");
    return with(List.of(nodes, master, DB), p -> new RedisPlace.Sentinels(p.get(nodes), p.get(master), p.get(DB)));
  }

  private static Decoder<RedisSettings> cluster() {
    Key<List<RedisPlace.Address>> nodes =
        Key.required("nodes", Decoders.list(RedisPlace.Address.decoder(RedisPlace.PORT), 1), "some nodes of the cluster");
    return with(List.of(nodes), p -> new RedisPlace.Cluster(p.get(nodes)));
  }

  private static Decoder<RedisSettings> with(List<Key<?>> own, Function<Parts, RedisPlace> place) {
    Key<Optional<Login.Settings>> login = Key.optional("credentials", Login.Settings.decoder(), "who we are");
    Key<Secrecy.Settings> tls = Key.standard("tls", Secrecy.Settings.decoder(), Secrecy.Settings.STANDARD, "how connections are kept from others");
    Key<Duration> write = Key.standard("write", bounded(), PATIENCE, "for a connection or an answer");
    Key<Optional<Node>> read = Key.optional("read", Decoders.node(), "has no effect");
    Key<Optional<Node>> idle = Key.optional("idle", Decoders.node(), "has no effect");
    Key<Duration> timeout = Key.standard("timeout", Decoders.object("times", List.of(write, read, idle), p -> p.get(write)), PATIENCE, "how long is waited");
    Key<Optional<String>> secret = Key.optional("secret", strong(),
        "closes what is kept, so that nobody who can write to Redis can make a verdict; the same for all instances");
    List<Key<Optional<Node>>> idleKeys = List.of(Key.optional("client_cache", Decoders.node(), "has no effect"),
        Key.optional("buffer_limit", Decoders.node(), "has no effect"), Key.optional("max_flush_delay", Decoders.node(), "has no effect"));
    List<Key<?>> keys = new ArrayList<>(own);
    keys.addAll(List.of(login, tls, timeout, secret));
    keys.addAll(idleKeys);
    return Decoders.checked("settings", keys, (p, problems) -> {
      idleKeys.forEach(key -> p.get(key).ifPresent(node -> problems.warning(node.at(), node.path(), "`" + key.name() + "` has no effect", "remove it")));
      return Optional.of(new RedisSettings(place.apply(p), p.get(login), p.get(tls), p.get(timeout), p.get(secret), p.node().at()));
    });
  }

  /** Whoever reads there could try out short ones. */
  private static Decoder<String> strong() {
    return Decoders.secret().then((secret, node, problems) -> {
      if (secret.length() < SHORTEST_SECRET) {
        problems.error(node.at(), node.path(), "must have at least " + SHORTEST_SECRET + " characters", "");
        return Optional.empty();
      }
      return Optional.of(secret);
    });
  }

  private static Decoder<Duration> bounded() {
    return Decoders.duration().then((time, node, problems) -> {
      if (time.isZero() || time.compareTo(LONGEST_PATIENCE) > 0) {
        problems.error(node.at(), node.path(), "must be more than zero and at most " + LONGEST_PATIENCE.toSeconds() + "s",
            "requests wait that long where Redis says nothing");
        return Optional.empty();
      }
      return Optional.of(time);
    });
  }

  /**
   * The cache, which connects at its first use. Empty exactly if a problem was added.
   *
   * @param tlsOnly whether TLS is insisted on
   */
  public Optional<RedisCache> cache(boolean tlsOnly, InstantSource clock, Log log, Problems problems) {
    if (tls.disabled() && tlsOnly) {
      problems.error(at, "cache.config.tls.disabled", "must be false",
          "or give up TLS to remote parties by `--insecure-skip-egress-tls-enforcement`");
      return Optional.empty();
    }
    if (secret.isEmpty()) {
      problems.warning(at, "cache.config", "whoever can write to Redis can make verdicts, and whoever can read there gets tokens",
          "set the same `secret` for all instances");
    }
    Optional<Login> who = login.isPresent() ? login.get().login(log, problems) : Optional.of(Login.NONE);
    Optional<Secrecy> secrecy = tls.secrecy(clock.instant(), problems);
    return who.flatMap(w -> secrecy.map(s -> new RedisCache(() -> RedisParty.open(this, w, s), new Seal(secret), clock, log)));
  }

  /** Without secrets. */
  @Override
  public String toString() {
    return place.toString();
  }
}
