package portcullis.serve.redis;

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
import portcullis.crypto.keys.KeyRings;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.observe.telemetry.Log;

/**
 * How answers are kept in Redis; immutable.
 *
 * @param secret closes what is kept, the same for all instances
 * @param at where it is configured
 */
public record RedisSettings(RedisPlace place, Optional<Login.Settings> login, RedisTls.Settings tls,
    RedisTimeouts timeouts,
    Optional<String> secret, Origin at) {
  private static final int SHORTEST_SECRET = 16;
  private static final Key<Integer> DB = Key.withDefault("db", Decoders.number(0, 1_000_000), 0,
      "the number of the data base");

  /** The types of caches in Redis, and how the settings of each are read. */
  public static final Map<String, Decoder<RedisSettings>> TYPES = Map.of("redis", node(), "redis-sentinel", sentinels(),
      "redis-cluster", cluster());

  private static Decoder<RedisSettings> node() {
    Key<RedisPlace.Address> address = Key.required("address", RedisPlace.Address.decoder(RedisPlace.PORT),
        "host and port");
    return with(List.of(address, DB), p -> new RedisPlace.Node(p.get(address), p.get(DB)));
  }

  private static Decoder<RedisSettings> sentinels() {
    Key<List<RedisPlace.Address>> nodes = Key.required("nodes",
        Decoders.list(RedisPlace.Address.decoder(RedisPlace.SENTINEL_PORT), 1), "the sentinels");
    Key<String> master = Key.required("master", Decoders.nonEmpty(), "the name of the master that they watch");
    Key<Optional<Login.Settings>> login = Key.optional("sentinel_credentials", Login.Settings.decoder(),
        "who we are to the sentinels");
    return with(List.of(nodes, master, DB, login),
        p -> new RedisPlace.Sentinels(p.get(nodes), p.get(master), p.get(DB), p.get(login)));
  }

  private static Decoder<RedisSettings> cluster() {
    Key<List<RedisPlace.Address>> nodes = Key.required("nodes",
        Decoders.list(RedisPlace.Address.decoder(RedisPlace.PORT), 1), "some nodes of the cluster");
    return with(List.of(nodes), p -> new RedisPlace.Cluster(p.get(nodes)));
  }

  private static Decoder<RedisSettings> with(List<Key<?>> own, Function<Parts, RedisPlace> place) {
    Key<Optional<Login.Settings>> login = Key.optional("credentials", Login.Settings.decoder(), "who we are");
    Key<RedisTls.Settings> tls = Key
        .withDefault("tls", RedisTls.Settings.decoder(), RedisTls.Settings.DEFAULT, "how connections are kept from "
            + "others")
        .restricting();
    Key<RedisTimeouts> timeout = Key.withDefault("timeout", RedisTimeouts.decoder(), RedisTimeouts.DEFAULT,
        "how long is waited");
    Key<Optional<String>> secret = Key.optional("secret", strong(),
        "closes what is kept, so that nobody who can write to Redis can make a verdict; the same for all instances")
        .restricting();
    List<Key<Optional<Node>>> idleKeys = List.of(idle("client_cache"), idle("buffer_limit"), idle("max_flush_delay"));
    List<Key<?>> keys = new ArrayList<>(own);
    keys.addAll(List.of(login, tls, timeout, secret));
    keys.addAll(idleKeys);
    return Decoders.checked("settings", keys, (p, problems) -> {
      tell(idleKeys, p, problems);
      return Optional.of(
          new RedisSettings(place.apply(p), p.get(login), p.get(tls), p.get(timeout), p.get(secret), p.node().at()));
    });
  }

  /** What heimdall's client has and ours has not. */
  private static Key<Optional<Node>> idle(String name) {
    return Key.optional(name, Decoders.node(), "has no effect");
  }

  private static void tell(List<Key<Optional<Node>>> idle, Parts parts, Problems problems) {
    idle.forEach(key -> parts.get(key).ifPresent(
        node -> problems.warning(node.at(), node.path(), "`" + key.name() + "` has no effect here", "remove it")));
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

  /**
   * The cache, which connects at its first use. Empty exactly if a problem was added.
   *
   * @param tlsOnly whether TLS is insisted on
   * @param keys where the key comes from that is shown to Redis
   */
  public Optional<RedisCache> cache(boolean tlsOnly, KeyRings keys, InstantSource clock, Log log, Problems problems) {
    if (tls.disabled() && tlsOnly) {
      problems.error(at, "cache.config.tls.disabled", "must be false",
          "or give up TLS to remote parties by `--insecure-skip-egress-tls-enforcement`");
      return Optional.empty();
    }
    if (secret.isEmpty()) {
      problems.warning(at, "cache.config", "whoever can write to Redis can make verdicts, and whoever can read there "
          + "gets tokens",
          "set the same `secret` for all instances");
    }
    Optional<RedisStore.Logins> who = logins(log, problems);
    Optional<RedisTls> redisTls = tls.redisTls(keys, at, problems);
    return who.flatMap(
        w -> redisTls.map(s -> new RedisCache(() -> RedisStore.open(this, w, s), new Seal(secret), clock, log)));
  }

  /** Reads both, so that all problems are reported. */
  private Optional<RedisStore.Logins> logins(Log log, Problems problems) {
    Optional<Login> own = Login.Settings.login(login, log, problems);
    Optional<Login> sentinels = Login.Settings
        .login(place instanceof RedisPlace.Sentinels s ? s.login() : Optional.empty(), log, problems);
    return own.flatMap(o -> sentinels.map(s -> new RedisStore.Logins(o, s)));
  }

  /** Without secrets. */
  @Override
  public String toString() {
    return place.toString();
  }
}
