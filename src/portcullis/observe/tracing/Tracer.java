package portcullis.observe.tracing;

import portcullis.http.message.Fields;

/** Starts spans. Thread safe. */
public interface Tracer {
  /** Starts the span of a received request, whose fields may contain the context of the caller. */
  Span server(String name, Fields fields);

  /** Starts a child span. */
  Span child(Span parent, String name, Span.Kind kind);

  /** Starts the root span of a trace. */
  Span root(String name, Span.Kind kind);

  /** Returns whether spans are exported. */
  boolean exports();

  /** Returns whether this field propagates traces: a client's own are not forwarded beside ours. */
  boolean propagates(String name);
}
