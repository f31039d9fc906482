package portcullis.serve.redis;

import redis.clients.jedis.DefaultRedisCredentials;
import redis.clients.jedis.RedisCredentials;
import redis.clients.jedis.RedisCredentialsProvider;

/** Provides the credentials for each new connection to the Redis client. */
record LoginProvider(Login login) implements RedisCredentialsProvider {
  @Override
  public RedisCredentials get() {
    Login.Words words = login.words();
    return words.user().isEmpty() ? new DefaultRedisCredentials(null, words.password())
        : new DefaultRedisCredentials(words.user(), words.password());
  }
}
