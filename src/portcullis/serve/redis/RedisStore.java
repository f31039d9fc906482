package portcullis.serve.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.RedisSentinelClient;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.SetParams;

/** Redis, accessed through Jedis. Thread safe. */
final class RedisStore implements Store {
  private static final int MOST_CONNECTIONS = 64;
  private static final int MOST_ATTEMPTS = 3;
  private static final String NAME = "portcullis";
  /** A key that is never written and that every user of the cache may read. */
  private static final String PROBE = RedisCache.PREFIX + "probe";

  private final UnifiedJedis client;

  private RedisStore(UnifiedJedis client) {
    this.client = client;
  }

  /** The credentials for Redis itself and for the sentinels that name it. */
  record Logins(Login own, Login sentinels) {}

  /** @throws Fault if sentinels or a cluster do not respond; a single node is connected to later */
  static RedisStore open(RedisSettings settings, Logins logins, RedisTls redisTls) throws Fault {
    try {
      return new RedisStore(switch (settings.place()) {
        case RedisPlace.Node(RedisPlace.Address address, int db) ->
          RedisClient.builder().hostAndPort(hostAndPort(address))
              .clientConfig(config(settings, logins.own, redisTls, db)).poolConfig(pool(settings.timeouts())).build();
        case RedisPlace.Sentinels(List<RedisPlace.Address> nodes, String master, int db, _) ->
          RedisSentinelClient.builder()
              .masterName(master).sentinels(all(nodes))
              .sentinelClientConfig(config(settings, logins.sentinels, redisTls, 0))
              .clientConfig(config(settings, logins.own, redisTls, db)).poolConfig(pool(settings.timeouts())).build();
        case RedisPlace.Cluster(List<RedisPlace.Address> nodes) -> RedisClusterClient.builder().nodes(all(nodes))
            .clientConfig(config(settings, logins.own, redisTls, 0)).maxAttempts(MOST_ATTEMPTS)
            .maxTotalRetriesDuration(settings.timeouts().longest()).poolConfig(pool(settings.timeouts())).build();
      });
    } catch (JedisException e) {
      throw failure(e);
    }
  }

  @SuppressWarnings("deprecation") // what replaces it takes files of key stores, not contexts
  private static JedisClientConfig config(RedisSettings settings, Login login, RedisTls redisTls, int db) {
    RedisTimeouts timeouts = settings.timeouts();
    DefaultJedisClientConfig.Builder builder = DefaultJedisClientConfig.builder().clientName(NAME)
        .connectionTimeoutMillis((int) timeouts.connection().toMillis())
        .socketTimeoutMillis((int) timeouts.answer().toMillis()).database(db);
    if (login != Login.NONE) {
      builder.credentialsProvider(new LoginProvider(login));
    }
    redisTls.tls().ifPresent(
        tls -> builder.ssl(true).sslSocketFactory(tls.context().getSocketFactory()).sslParameters(tls.parameters()));
    return builder.build();
  }

  private static ConnectionPoolConfig pool(RedisTimeouts timeouts) {
    ConnectionPoolConfig pool = new ConnectionPoolConfig();
    pool.setMaxTotal(MOST_CONNECTIONS);
    pool.setMaxIdle(MOST_CONNECTIONS);
    pool.setMaxWait(timeouts.connection());
    pool.setMinEvictableIdleDuration(timeouts.idle());
    pool.setTimeBetweenEvictionRuns(timeouts.look());
    pool.setJmxEnabled(false);
    return pool;
  }

  private static Set<HostAndPort> all(List<RedisPlace.Address> nodes) {
    Set<HostAndPort> out = new HashSet<>();
    nodes.forEach(node -> out.add(hostAndPort(node)));
    return out;
  }

  private static HostAndPort hostAndPort(RedisPlace.Address address) {
    return new HostAndPort(address.host(), address.port());
  }

  @Override
  public void ping() throws Fault {
    read(PROBE, 1);
  }

  @Override
  public byte[] read(String key, int most) throws Fault {
    try {
      return client.getrange(key.getBytes(StandardCharsets.US_ASCII), 0, most - 1L);
    } catch (JedisException e) {
      throw failure(e);
    }
  }

  @Override
  public void write(String key, byte[] value, Duration time) throws Fault {
    try {
      client.set(key.getBytes(StandardCharsets.US_ASCII), value, new SetParams().px(time.toMillis()));
    } catch (JedisException e) {
      throw failure(e);
    }
  }

  private static Fault failure(JedisException e) {
    Throwable deepest = e;
    while (deepest.getCause() != null && deepest.getCause() != deepest) {
      deepest = deepest.getCause();
    }
    return new Fault(deepest.getMessage() == null ? deepest.getClass().getSimpleName() : deepest.getMessage());
  }

  @Override
  public void close() {
    client.close();
  }
}
