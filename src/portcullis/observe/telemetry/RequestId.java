package portcullis.observe.telemetry;

import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import portcullis.observe.tracing.Trace;

/** The id that the log lines of a request share; bound to the thread that handles the request. */
public final class RequestId implements AutoCloseable {
  private static final ThreadLocal<RequestId> CURRENT = new ThreadLocal<>();

  private final String text;
  private final boolean shared;
  private final Optional<Trace> trace;

  private RequestId(String text, boolean shared, Optional<Trace> trace) {
    this.text = text;
    this.shared = shared;
    this.trace = trace;
  }

  /**
   * Assigns an id of 16 hexadecimal digits to the current thread until it is closed: that of the span that its lines
   * have, or a new one where there is none.
   */
  public static RequestId assign() {
    Optional<Trace> trace = Trace.current();
    return assigned(new RequestId(trace.map(current -> current.server().id())
        .orElseGet(() -> HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong())), false, trace));
  }

  /**
   * Assigns an id that other programs know to the current thread until it is closed.
   *
   * @param id letters, digits, dots, colons, dashes, underscores, slashes and plus signs
   */
  public static RequestId assign(String id) {
    return assigned(new RequestId(id, true, Trace.current()));
  }

  private static RequestId assigned(RequestId id) {
    CURRENT.set(id);
    return id;
  }

  /** Returns the id of the request that the current thread handles; empty if it handles none. */
  public static Optional<RequestId> current() {
    return Optional.ofNullable(CURRENT.get());
  }

  /** Returns an action that has the id and the trace that the current thread has now, on whatever thread it is run. */
  public static Runnable kept(Runnable action) {
    RequestId id = CURRENT.get();
    return Trace.kept(() -> {
      RequestId around = CURRENT.get();
      CURRENT.set(id);
      try {
        action.run();
      } finally {
        CURRENT.set(around);
      }
    });
  }

  /** Does something for the request with this id, or for none, on a thread that may handle another one. */
  public static void during(Optional<RequestId> id, Runnable action) {
    RequestId around = CURRENT.get();
    CURRENT.set(id.orElse(null));
    try {
      action.run();
    } finally {
      CURRENT.set(around);
    }
  }

  /** Returns the id of the request that the current thread handles; empty if it handles none. */
  public static Optional<String> text() {
    return current().map(RequestId::value);
  }

  /** Returns the id. */
  public String value() {
    return text;
  }

  /** Returns whether other programs know it, so that it is logged beside the ids of a trace. */
  boolean isShared() {
    return shared;
  }

  /** Returns the trace of the request; empty if it is not traced. */
  public Optional<Trace> trace() {
    return trace;
  }

  @Override
  public void close() {
    CURRENT.set(null); // the thread serves other requests, for which a removed entry would have to be made again
  }
}
