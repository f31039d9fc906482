package portcullis.observe.tracing;

import portcullis.http.message.Fields;

/** An operation of a trace. For the thread of the operation. Started by a {@link Tracer} and ended once. */
public interface Span {
  /** The role of a span. */
  enum Kind {
    /** A received request. */
    SERVER,
    /** A sent request. */
    CLIENT,
    /** An internal operation. */
    INTERNAL
  }

  /** Returns whether it is recorded; otherwise setting attributes has no effect. */
  boolean recorded();

  void name(String name);

  void set(String attribute, String value);

  void set(String attribute, long value);

  void set(String attribute, boolean value);

  /** Marks it as failed. @param type of the error, with low cardinality */
  void failed(String type);

  void end();

  /** Returns the trace id, 32 hexadecimal digits. */
  String traceId();

  /** Returns the span id, 16 hexadecimal digits. */
  String id();

  /** Returns the id of the parent span; empty for a root span. */
  String parentId();

  /** Returns the fields that propagate the context to the next service. */
  Fields propagationFields();
}
