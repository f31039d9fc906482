package portcullis.serve.redis;

import java.time.Duration;

/** The operations of Redis that the cache uses. Thread safe. */
interface Store extends AutoCloseable {
  /** Connects to Redis; most errors of the settings are reported by the first operation. */
  interface Opener {
    Store open() throws Fault;
  }

  /** Thrown when Redis cannot be used; the message holds no password. */
  final class Fault extends Exception {
    private static final long serialVersionUID = 1;

    Fault(String message) {
      super(message, null, false, false);
    }
  }

  void ping() throws Fault;

  /** Returns at most that many bytes of the value; none if there is no value. */
  byte[] read(String key, int most) throws Fault;

  void write(String key, byte[] value, Duration time) throws Fault;

  @Override
  void close();
}
