package portcullis.observe.telemetry;

import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** The id that the log lines of a request share; bound to the thread that handles the request. */
public final class RequestId implements AutoCloseable {
  private static final ThreadLocal<String> CURRENT = new ThreadLocal<>();

  private RequestId() {}

  /** Assigns an id of 16 hexadecimal digits to the current thread until it is closed. */
  public static RequestId assign() {
    CURRENT.set(HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong()));
    return new RequestId();
  }

  /** Returns the id of the request that the current thread handles; empty if it handles none. */
  public static Optional<String> current() {
    return Optional.ofNullable(CURRENT.get());
  }

  @Override
  public void close() {
    CURRENT.remove();
  }
}
