package portcullis.serve.redis;

import java.time.Duration;
import java.util.List;

/** The operations of Redis that the cache uses. Thread safe. */
interface RedisOperations extends AutoCloseable {
  /** Connects to Redis; most errors of the settings are reported by the first operation. */
  interface Opener {
    RedisOperations open() throws RedisException;
  }

  /** Thrown when Redis cannot be used; the message holds no password. */
  final class RedisException extends Exception {
    private static final long serialVersionUID = 1;

    private final boolean refused;

    RedisException(String message) {
      this(message, false);
    }

    /** @param refused whether Redis answers, but does not do what was asked for: that says nothing of other commands */
    RedisException(String message, boolean refused) {
      super(message, null, false, false);
      this.refused = refused;
    }

    boolean isRefused() {
      return refused;
    }
  }

  void ping() throws RedisException;

  /** Returns at most that many bytes of the value; none if there is no value. */
  byte[] read(String key, int most) throws RedisException;

  void write(String key, byte[] value, Duration time) throws RedisException;

  /**
   * Writes a value unless there is one, at once for all clients, and returns whether it did; false, too, where it has
   * done so but the response was lost, which another value in each call shows.
   */
  boolean writeNew(String key, byte[] value, Duration time) throws RedisException;

  /** Runs a script on one key, at once for all clients, and returns the whole numbers that it returns. */
  List<Long> run(RedisScript script, String key, List<String> arguments) throws RedisException;

  @Override
  void close();
}
