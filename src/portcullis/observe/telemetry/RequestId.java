package portcullis.observe.telemetry;

import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import portcullis.observe.tracing.Trace;

/** The id that the log lines of a request share; bound to the thread that handles the request. */
public final class RequestId implements AutoCloseable {
  private static final ThreadLocal<Id> CURRENT = new ThreadLocal<>();

  /** @param shared whether other programs know it, so that it is logged beside the ids of a trace */
  record Id(String text, boolean shared) {}

  private RequestId() {}

  /**
   * Assigns an id of 16 hexadecimal digits to the current thread until it is closed: that of the span that its lines
   * have, or a new one where there is none.
   */
  public static RequestId assign() {
    CURRENT.set(new Id(Trace.current().map(trace -> trace.server().id())
        .orElseGet(() -> HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong())), false));
    return new RequestId();
  }

  /**
   * Assigns an id that other programs know to the current thread until it is closed.
   *
   * @param id letters, digits, dots, colons, dashes, underscores, slashes and plus signs
   */
  public static RequestId assign(String id) {
    CURRENT.set(new Id(id, true));
    return new RequestId();
  }

  /** Returns the id of the request that the current thread handles; empty if it handles none. */
  static Optional<Id> current() {
    return Optional.ofNullable(CURRENT.get());
  }

  /** Returns an action that has the id and the trace that the current thread has now, on whatever thread it is run. */
  public static Runnable kept(Runnable action) {
    Id id = CURRENT.get();
    return Trace.kept(() -> {
      Id around = CURRENT.get();
      CURRENT.set(id);
      try {
        action.run();
      } finally {
        CURRENT.set(around);
      }
    });
  }

  /** Returns the id of the request that the current thread handles; empty if it handles none. */
  public static Optional<String> text() {
    return current().map(Id::text);
  }

  @Override
  public void close() {
    CURRENT.set(null); // the thread serves other requests, for which a removed entry would have to be made again
  }
}
