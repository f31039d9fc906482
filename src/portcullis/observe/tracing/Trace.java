package portcullis.observe.tracing;

import java.io.IOException;
import java.util.Optional;

/** The trace of a request, known to all that is done for it on its thread; for that thread. */
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

  /** The work for a request. */
  public interface Work {
    void run() throws IOException;
  }

  /** That of the work at hand; empty where it is not traced. */
  public static Optional<Trace> current() {
    return Optional.ofNullable(CURRENT.get());
  }

  /** Does the work as part of this trace. */
  public void during(Work work) throws IOException {
    Trace around = CURRENT.get();
    CURRENT.set(this); // a scoped value would cost twice as much
    try {
      work.run();
    } finally {
      CURRENT.set(around);
    }
  }

  /** The span of the request as a whole. */
  public Span server() {
    return server;
  }

  /** Whether inner work is worth a span of its own. */
  public boolean detailed() {
    return server.recorded() && tracer.exports();
  }

  /** Begins a span of inner work; until {@link #leave}, what is begun is part of it. */
  public Span enter(String name) {
    Span span = tracer.child(innermost, name, Span.Kind.INTERNAL);
    innermost = span;
    return span;
  }

  /** Inner work is over; what follows is part of the request as a whole again. */
  public void leave() {
    innermost = server;
  }

  /** Begins the span of a call to another party. */
  public Span call(String name) {
    return tracer.child(innermost, name, Span.Kind.CLIENT);
  }
}
