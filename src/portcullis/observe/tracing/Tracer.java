package portcullis.observe.tracing;

import portcullis.http.message.Fields;

/** Makes spans; thread safe. */
public interface Tracer {
  /** The span of a request that came in with these fields, which may tell of the caller's. */
  Span server(String name, Fields fields);

  /** One that stands below the parent. */
  Span child(Span parent, String name, Span.Kind kind);

  /** One that begins a trace. */
  Span root(String name, Span.Kind kind);

  /** Whether spans are seen by anybody at all. */
  boolean exports();

  /** Whether fields of that name tell of traces: a client's own do not go on beside ours. */
  boolean propagates(String name);
}
