package portcullis.serve.redis;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import portcullis.config.DecodedMembers;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.crypto.keys.KeyRings;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.observe.telemetry.Log;

/**
 * The settings of a cache in Redis; immutable.
 *
 * @param secret encrypts and authenticates values, the same for all instances
 * @param at where it is configured
 */
public record RedisSettings(RedisTopology place, Optional<CredentialsSource.Settings> login, RedisTls.Settings tls,
    RedisTimeouts timeouts,
    Optional<String> secret, Origin at) {
  private static final int SHORTEST_SECRET = 16;
  private static final Key<Integer> DB = Key.withDefault("db", Decoders.number(0, 1_000_000), 0,
      "the number of the database");

  /** The types of caches in Redis with the decoders of their settings. */
  public static final Map<String, Decoder<RedisSettings>> TYPES = Map.of("redis", node(), "redis-sentinel", sentinels(),
      "redis-cluster", cluster());

  private static Decoder<RedisSettings> node() {
    Key<RedisTopology.Address> address = Key.required("address", RedisTopology.Address.decoder(RedisTopology.PORT),
        "host and port");
    return with(List.of(address, DB), p -> new RedisTopology.Node(p.get(address), p.get(DB)));
  }

  private static Decoder<RedisSettings> sentinels() {
    Key<List<RedisTopology.Address>> nodes = Key.required("nodes",
        Decoders.list(RedisTopology.Address.decoder(RedisTopology.SENTINEL_PORT), 1), "the sentinels");
    Key<String> master = Key.required("master", Decoders.nonEmpty(), "the name of the monitored master");
    Key<Optional<CredentialsSource.Settings>> login = Key.optional("sentinel_credentials",
        CredentialsSource.Settings.decoder(),
        "the credentials for the sentinels");
    return with(List.of(nodes, master, DB, login),
        p -> new RedisTopology.Sentinels(p.get(nodes), p.get(master), p.get(DB), p.get(login)));
  }

  private static Decoder<RedisSettings> cluster() {
    Key<List<RedisTopology.Address>> nodes = Key.required("nodes",
        Decoders.list(RedisTopology.Address.decoder(RedisTopology.PORT), 1), "some nodes of the cluster");
    return with(List.of(nodes), p -> new RedisTopology.Cluster(p.get(nodes)));
  }

  private static Decoder<RedisSettings> with(List<Key<?>> own, Function<DecodedMembers, RedisTopology> place) {
    Key<Optional<CredentialsSource.Settings>> login = Key.optional("credentials", CredentialsSource.Settings.decoder(),
        "the credentials");
    Key<RedisTls.Settings> tls = Key
        .withDefault("tls", RedisTls.Settings.decoder(), RedisTls.Settings.DEFAULT, "TLS of the connections")
        .restricting();
    Key<RedisTimeouts> timeout = Key.withDefault("timeout", RedisTimeouts.decoder(), RedisTimeouts.DEFAULT,
        "timeouts");
    Key<Optional<String>> secret = Key.optional("secret", strong(),
        "encrypts and authenticates cached values, so that write access to Redis "
            + "does not allow forging decisions; the same for all instances")
        .restricting();
    List<Key<Optional<Node>>> idleKeys = List.of(idle("client_cache"), idle("buffer_limit"), idle("max_flush_delay"));
    List<Key<?>> keys = new ArrayList<>(own);
    keys.addAll(List.of(login, tls, timeout, secret));
    keys.addAll(idleKeys);
    return Decoders.checked("settings", keys, (p, problems) -> {
      warnOfUnusedKeys(idleKeys, p, problems);
      return Optional.of(
          new RedisSettings(place.apply(p), p.get(login), p.get(tls), p.get(timeout), p.get(secret), p.node().at()));
    });
  }

  /** Returns a key that heimdall has and that has no effect here. */
  private static Key<Optional<Node>> idle(String name) {
    return Key.optional(name, Decoders.node(), "has no effect");
  }

  private static void warnOfUnusedKeys(List<Key<Optional<Node>>> idle, DecodedMembers parts, Problems problems) {
    idle.forEach(key -> parts.get(key).ifPresent(
        node -> problems.warning(node.at(), node.path(), "`" + key.name() + "` has no effect here", "remove it")));
  }

  /** Returns the decoder of a secret of sufficient length: whoever can read Redis could try short ones. */
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
   * Creates the cache, which connects at its first use; empty exactly if a problem was added.
   *
   * @param tlsOnly whether TLS is enforced
   * @param keys the key stores for client certificates
   */
  public Optional<RedisCache> cache(boolean tlsOnly, KeyRings keys, InstantSource clock, Log log, Problems problems) {
    return cache(tlsOnly, keys, clock, InstantSource.system(), log, problems);
  }

  /** @param wall the time of day, which instances have in common */
  Optional<RedisCache> cache(boolean tlsOnly, KeyRings keys, InstantSource clock, InstantSource wall, Log log,
      Problems problems) {
    if (!isSecure("cache", tlsOnly, problems)) {
      return Optional.empty();
    }
    if (secret.isEmpty()) {
      problems.warning(at, "cache.config",
          "with write access to Redis decisions can be forged, and with read access tokens can be obtained",
          "set the same `secret` for all instances");
    }
    Optional<JedisConnections.Credentials> who = logins(log, problems);
    Optional<RedisTls> redisTls = tls.redisTls(keys, at, problems);
    return who.flatMap(
        w -> redisTls.map(s -> new RedisCache(() -> JedisOperations.open(this, w, s), new Seal(secret), clock, wall,
            log)));
  }

  /**
   * Creates what instances share, which connects at its first use; empty exactly if a problem was added.
   *
   * @param tlsOnly whether TLS is enforced
   * @param keys the key stores for client certificates
   */
  public Optional<SharedRedis> shared(boolean tlsOnly, KeyRings keys, Log log, Problems problems) {
    if (!isSecure("fleet", tlsOnly, problems)) {
      return Optional.empty();
    }
    if (secret.isEmpty()) {
      problems.warning(at, "fleet.config",
          "with write access to Redis everybody can be locked out, and with read access the names of who is locked "
              + "can be read",
          "set the same `secret` for all instances");
    }
    Optional<JedisConnections.Credentials> who = logins(log, problems);
    Optional<RedisTls> redisTls = tls.redisTls(keys, at, problems);
    return who
        .flatMap(w -> redisTls.map(s -> new SharedRedis(new JedisConnections(this, w, s), new Seal(secret))));
  }

  private boolean isSecure(String section, boolean tlsOnly, Problems problems) {
    if (tls.disabled() && tlsOnly) {
      problems.error(at, section + ".config.tls.disabled", "must be false",
          "or allow calls without TLS by `--insecure-skip-egress-tls-enforcement`");
      return false;
    }
    return true;
  }

  /** Reads the credentials for Redis and for sentinels, so that all problems are reported. */
  private Optional<JedisConnections.Credentials> logins(Log log, Problems problems) {
    Optional<CredentialsSource> own = CredentialsSource.Settings.login(login, log, problems);
    Optional<CredentialsSource> sentinels = CredentialsSource.Settings
        .login(place instanceof RedisTopology.Sentinels s ? s.login() : Optional.empty(), log, problems);
    return own.flatMap(o -> sentinels.map(s -> new JedisConnections.Credentials(o, s)));
  }

  /** Without secrets. */
  @Override
  public String toString() {
    return place.toString();
  }
}
