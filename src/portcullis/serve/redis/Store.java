package portcullis.serve.redis;

import java.time.Duration;

/** What is needed of Redis; thread safe. */
interface Store extends AutoCloseable {
  /** Connects; what is wrong with the settings of a running one shows at its first use. */
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

  /** At most that many bytes of the value; none where there is none. */
  byte[] read(String key, int most) throws Fault;

  void write(String key, byte[] value, Duration time) throws Fault;

  @Override
  void close();
}
