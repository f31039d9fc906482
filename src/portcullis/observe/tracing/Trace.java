package portcullis.observe.tracing;

import java.io.IOException;
import java.util.Optional;

/** The trace of a request, available to everything that runs for it on its thread. For that thread. */
public final class Trace {
  private static final ThreadLocal<Trace> CURRENT = new ThreadLocal<>();

  private final Tracer tracer;
  private final Span server;
  private Span innermost;

  /** @param server of the request */
  public Trace(Tracer tracer, Span server) {
    this.tracer = tracer;
    this.server = server;
    this.innermost = server;
  }

  /** The handling of a request. */
  public interface Work {
    void run() throws IOException;
  }

  /** Returns the trace of the current thread; empty if there is none. */
  public static Optional<Trace> current() {
    return Optional.ofNullable(CURRENT.get());
  }

  /** Runs the work as part of this trace. */
  public void during(Work work) throws IOException {
    Trace around = CURRENT.get();
    CURRENT.set(this); // a scoped value would cost twice as much
    try {
      work.run();
    } finally {
      CURRENT.set(around);
    }
  }

  /** Returns an action that is part of the current thread's trace, if there is one, on whatever thread it is run. */
  public static Runnable kept(Runnable action) {
    Trace trace = CURRENT.get();
    return trace == null ? action : () -> {
      Trace around = CURRENT.get();
      CURRENT.set(trace);
      try {
        action.run();
      } finally {
        CURRENT.set(around);
      }
    };
  }

  /** Returns the server span of the request. */
  public Span server() {
    return server;
  }

  /** Returns whether internal operations get their own spans. */
  public boolean detailed() {
    return server.recorded() && tracer.exports();
  }

  /** Starts a span of an internal operation, the parent of spans that are started before {@link #leave}. */
  public Span enter(String name) {
    Span span = tracer.child(innermost, name, Span.Kind.INTERNAL);
    innermost = span;
    return span;
  }

  /** Leaves the internal operation: the server span is the parent again. */
  public void leave() {
    innermost = server;
  }

  /** Starts the span of a call to another service. */
  public Span call(String name) {
    return tracer.child(innermost, name, Span.Kind.CLIENT);
  }
}
