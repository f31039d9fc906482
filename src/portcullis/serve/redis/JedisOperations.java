package portcullis.serve.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.params.SetParams;

/** Redis, accessed through Jedis. Thread safe. */
final class JedisOperations implements RedisOperations {
  /** A key that is never written and that every user of the cache may read. */
  private static final String PROBE = RedisCache.PREFIX + "probe";

  private final UnifiedJedis client;
  private final JedisConnections connections;

  private JedisOperations(UnifiedJedis client, JedisConnections connections) {
    this.client = client;
    this.connections = connections;
  }

  /** @throws RedisException if sentinels or a cluster do not respond; a single node is connected to later */
  static JedisOperations open(RedisSettings settings, JedisConnections.Credentials logins, RedisTls redisTls)
      throws RedisException {
    JedisConnections connections = new JedisConnections(settings, logins, redisTls);
    try {
      return new JedisOperations(connections.client(), connections);
    } catch (JedisException e) {
      throw failure(e, connections);
    }
  }

  @Override
  public void ping() throws RedisException {
    read(PROBE, 1);
  }

  @Override
  public byte[] read(String key, int most) throws RedisException {
    try {
      return called(jedis -> jedis.getrange(key.getBytes(StandardCharsets.US_ASCII), 0, most - 1L));
    } catch (JedisException e) {
      throw failure(e);
    }
  }

  @Override
  public void write(String key, byte[] value, Duration time) throws RedisException {
    try {
      called(jedis -> jedis.set(key.getBytes(StandardCharsets.US_ASCII), value,
          new SetParams().px(time.toMillis())));
    } catch (JedisException e) {
      throw failure(e);
    }
  }

  @Override
  public boolean writeNew(String key, byte[] value, Duration time) throws RedisException {
    try {
      return called(jedis -> jedis.set(key.getBytes(StandardCharsets.US_ASCII), value,
          new SetParams().nx().px(time.toMillis())) != null);
    } catch (JedisException e) {
      throw failure(e);
    }
  }

  @Override
  public List<Long> run(RedisScript script, String key, List<String> arguments) throws RedisException {
    try {
      return longs(called(jedis -> evaluated(jedis, script, key, arguments)));
    } catch (JedisException e) {
      throw failure(e);
    }
  }

  private <T> T called(JedisConnections.Call<T> call) {
    return JedisConnections.called(client, call);
  }

  private static Object evaluated(UnifiedJedis client, RedisScript script, String key, List<String> arguments) {
    try {
      return client.evalsha(script.sha1(), List.of(key), arguments);
    } catch (JedisNoScriptException _) {
      return client.eval(script.text(), List.of(key), arguments);
    }
  }

  private static List<Long> longs(Object answer) throws RedisException {
    if (answer instanceof List<?> all && all.stream().allMatch(Long.class::isInstance)) {
      return all.stream().map(Long.class::cast).toList();
    }
    throw new RedisException("a script returned what it does not return");
  }

  private RedisException failure(JedisException e) {
    return failure(e, connections);
  }

  private static RedisException failure(JedisException e, JedisConnections connections) {
    String reason = connections.reason(e);
    return new RedisException(connections.settings().place().shown() + ": " + reason,
        JedisConnections.takesNoWrites(reason) || JedisConnections.forbids(reason));
  }

  @Override
  public void close() {
    client.close();
  }
}
