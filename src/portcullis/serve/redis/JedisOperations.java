package portcullis.serve.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultRedisCredentials;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.RedisSentinelClient;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.SetParams;

/** Redis, accessed through Jedis. Thread safe. */
final class JedisOperations implements RedisOperations {
  private static final int MOST_CONNECTIONS = 64;
  private static final int MOST_ATTEMPTS = 3;
  private static final String NAME = "portcullis";
  /** A key that is never written and that every user of the cache may read. */
  private static final String PROBE = RedisCache.PREFIX + "probe";

  private final UnifiedJedis client;

  private JedisOperations(UnifiedJedis client) {
    this.client = client;
  }

  /** The credentials for Redis itself and for the sentinels that name it. */
  record Credentials(CredentialsSource own, CredentialsSource sentinels) {}

  /** @throws RedisException if sentinels or a cluster do not respond; a single node is connected to later */
  static JedisOperations open(RedisSettings settings, Credentials logins, RedisTls redisTls) throws RedisException {
    try {
      return new JedisOperations(switch (settings.place()) {
        case RedisTopology.Node(RedisTopology.Address address, int db) ->
          RedisClient.builder().hostAndPort(hostAndPort(address))
              .clientConfig(config(settings, logins.own, redisTls, db)).poolConfig(pool(settings.timeouts())).build();
        case RedisTopology.Sentinels(List<RedisTopology.Address> nodes, String master, int db, _) ->
          RedisSentinelClient.builder()
              .masterName(master).sentinels(all(nodes))
              .sentinelClientConfig(config(settings, logins.sentinels, redisTls, 0))
              .clientConfig(config(settings, logins.own, redisTls, db)).poolConfig(pool(settings.timeouts())).build();
        case RedisTopology.Cluster(List<RedisTopology.Address> nodes) -> RedisClusterClient.builder().nodes(all(nodes))
            .clientConfig(config(settings, logins.own, redisTls, 0)).maxAttempts(MOST_ATTEMPTS)
            .maxTotalRetriesDuration(settings.timeouts().longest()).poolConfig(pool(settings.timeouts())).build();
      });
    } catch (JedisException e) {
      throw failure(e);
    }
  }

  @SuppressWarnings("deprecation") // what replaces it takes files of key stores, not contexts
  private static JedisClientConfig config(RedisSettings settings, CredentialsSource login, RedisTls redisTls, int db) {
    RedisTimeouts timeouts = settings.timeouts();
    DefaultJedisClientConfig.Builder builder = DefaultJedisClientConfig.builder().clientName(NAME)
        .connectionTimeoutMillis((int) timeouts.connection().toMillis())
        .socketTimeoutMillis((int) timeouts.answer().toMillis()).database(db);
    if (login != CredentialsSource.NONE) {
      builder.credentialsProvider(() -> {
        CredentialsSource.UserPassword now = login.credentials();
        return new DefaultRedisCredentials(now.user().isEmpty() ? null : now.user(), now.password());
      });
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

  private static Set<HostAndPort> all(List<RedisTopology.Address> nodes) {
    Set<HostAndPort> out = new HashSet<>();
    nodes.forEach(node -> out.add(hostAndPort(node)));
    return out;
  }

  private static HostAndPort hostAndPort(RedisTopology.Address address) {
    return new HostAndPort(address.host(), address.port());
  }

  @Override
  public void ping() throws RedisException {
    read(PROBE, 1);
  }

  @Override
  public byte[] read(String key, int most) throws RedisException {
    try {
      return client.getrange(key.getBytes(StandardCharsets.US_ASCII), 0, most - 1L);
    } catch (JedisException e) {
      throw failure(e);
    }
  }

  @Override
  public void write(String key, byte[] value, Duration time) throws RedisException {
    try {
      client.set(key.getBytes(StandardCharsets.US_ASCII), value, new SetParams().px(time.toMillis()));
    } catch (JedisException e) {
      throw failure(e);
    }
  }

  @Override
  public boolean writeNew(String key, byte[] value, Duration time) throws RedisException {
    try {
      return client.set(key.getBytes(StandardCharsets.US_ASCII), value,
          new SetParams().nx().px(time.toMillis())) != null;
    } catch (JedisException e) {
      throw failure(e);
    }
  }

  private static RedisException failure(JedisException e) {
    Throwable deepest = e;
    while (deepest.getCause() != null && deepest.getCause() != deepest) {
      deepest = deepest.getCause();
    }
    return new RedisException(deepest.getMessage() == null ? deepest.getClass().getSimpleName() : deepest.getMessage());
  }

  @Override
  public void close() {
    client.close();
  }
}
