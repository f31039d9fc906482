package portcullis.serve.redis;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilderException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultRedisCredentials;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.RedisSentinelClient;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.providers.PooledConnectionProvider;
import redis.clients.jedis.providers.SentineledConnectionProvider;

/** Makes clients of Jedis and connections from settings. */
record JedisConnections(RedisSettings settings, Credentials logins, RedisTls redisTls) {
  private static final int MOST_CONNECTIONS = 64;
  private static final int MOST_ATTEMPTS = 3;
  private static final String NAME = "portcullis";
  private static final List<String> OF_WRITES = List.of("OOM ", "MISCONF ", "READONLY ", "NOREPLICAS ");
  /** What the system says where the peer drops the connection. */
  private static final String RESET = "Connection reset";

  /** The credentials for Redis itself and for the sentinels that name it. */
  record Credentials(CredentialsSource own, CredentialsSource sentinels) {}

  /** @throws JedisException if sentinels or a cluster do not respond; a single node is connected to later */
  UnifiedJedis client() {
    return switch (settings.place()) {
      case RedisTopology.Node(RedisTopology.Address address, int db) -> RedisClient.builder()
          .hostAndPort(hostAndPort(address)).clientConfig(config(logins.own, db)).poolConfig(pool()).build();
      case RedisTopology.Sentinels(List<RedisTopology.Address> nodes, String master, int db, _) ->
        RedisSentinelClient.builder().masterName(master).sentinels(all(nodes))
            .sentinelClientConfig(config(logins.sentinels, 0)).clientConfig(config(logins.own, db)).poolConfig(pool())
            .build();
      case RedisTopology.Cluster(List<RedisTopology.Address> nodes) -> RedisClusterClient.builder().nodes(all(nodes))
          .clientConfig(config(logins.own, 0)).maxAttempts(MOST_ATTEMPTS)
          .maxTotalRetriesDuration(settings.timeouts().longest()).poolConfig(pool()).build();
    };
  }

  /** Returns a source of single connections: to the node, the master, or any node of the cluster. */
  ConnectionProvider provider() {
    return switch (settings.place()) {
      case RedisTopology.Node(RedisTopology.Address address, int db) ->
        new PooledConnectionProvider(hostAndPort(address), config(logins.own, db), pool());
      case RedisTopology.Sentinels(List<RedisTopology.Address> nodes, String master, int db, _) ->
        new SentineledConnectionProvider(master, config(logins.own, db), pool(), all(nodes),
            config(logins.sentinels, 0));
      case RedisTopology.Cluster(List<RedisTopology.Address> nodes) ->
        new ClusterConnectionProvider(all(nodes), config(logins.own, 0), pool());
    };
  }

  /** A call of Redis. */
  interface Call<T> {
    T on(UnifiedJedis jedis);
  }

  /**
   * Calls Redis, again if the connection had died while it was not in use: a server that has started again has ended
   * all that are kept. What an interruption ended is not repeated. The clients of a cluster do so themselves. A call
   * may so be executed twice, where its response is lost.
   */
  static <T> T called(UnifiedJedis jedis, Call<T> call) {
    // the kept connections of the others can be replaced at once, those of sentinels only one by one
    int most = jedis instanceof RedisSentinelClient ? MOST_CONNECTIONS + 1 : MOST_ATTEMPTS;
    for (int attempt = 1;; attempt++) {
      try {
        return call.on(jedis);
      } catch (JedisConnectionException e) {
        if (attempt == most || !hasDied(e) || Thread.currentThread().isInterrupted()) {
          throw e;
        }
        if (jedis instanceof RedisClient client) {
          client.getPool().clear();
        }
      }
    }
  }

  /** Returns whether a connection was there and is no more; not one that cannot be made, or where nothing comes. */
  private static boolean hasDied(JedisConnectionException e) {
    Throwable deepest = deepest(e);
    // failed attempts to connect are suppressed exceptions of Jedis' own
    return deepest instanceof JedisConnectionException && deepest.getSuppressed().length == 0
        || deepest instanceof SocketException
            && !(deepest instanceof ConnectException || deepest instanceof NoRouteToHostException);
  }

  private static Throwable deepest(Throwable e) {
    Throwable deepest = e;
    while (deepest.getCause() != null && deepest.getCause() != deepest) {
      deepest = deepest.getCause();
    }
    return deepest;
  }

  /** Returns whether Redis answers, but has no memory, disk or replicas for writes. */
  static boolean takesNoWrites(String reason) {
    return OF_WRITES.stream().anyMatch(reason::startsWith);
  }

  /** Returns whether Redis answers, but does not permit this command. */
  static boolean forbids(String reason) {
    return reason.startsWith("NOPERM ");
  }

  /** Returns the deepest reason, which holds no password, and what it may come from. */
  String reason(JedisException e) {
    Throwable deepest = deepest(e);
    String reason = deepest.getMessage() == null ? deepest.getClass().getSimpleName() : deepest.getMessage();
    return reason + hint(deepest, reason);
  }

  private String hint(Throwable deepest, String reason) {
    if (deepest instanceof CertPathBuilderException) {
      return " (the certificate of Redis is not trusted: name its issuer in `tls.trust_store`)";
    }
    boolean isOfTls = deepest instanceof GeneralSecurityException || reason.contains("fatal alert");
    if (isOfHandshake(deepest) && !isOfTls) {
      return " (in the TLS handshake: a Redis without TLS needs `tls: { disabled: true }`)";
    }
    return redisTls.tls().isEmpty() && reason.equals(RESET)
        ? " (a Redis with TLS does that too: then remove `tls: { disabled: true }`)"
        : "";
  }

  private static boolean isOfHandshake(Throwable error) {
    return Stream.of(error.getStackTrace()).anyMatch(frame -> frame.getMethodName().equals("startHandshake"));
  }

  @SuppressWarnings("deprecation") // what replaces it takes files of key stores, not contexts
  private JedisClientConfig config(CredentialsSource login, int db) {
    RedisTimeouts timeouts = settings.timeouts();
    DefaultJedisClientConfig.Builder builder = DefaultJedisClientConfig.builder().clientName(NAME)
        .clientSetInfoConfig(ClientSetInfoConfig.DISABLED) // one command less that a user needs to be permitted
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

  private ConnectionPoolConfig pool() {
    RedisTimeouts timeouts = settings.timeouts();
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
}
