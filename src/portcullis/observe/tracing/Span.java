package portcullis.observe.tracing;

import portcullis.http.message.Fields;

/** A stretch of work of a trace; for the thread of the work. Begun by a {@link Tracer}, ended once. */
public interface Span {
  /** What it is done for. */
  enum Kind {
    /** A request that has come in. */
    SERVER,
    /** A request that goes out. */
    CLIENT,
    /** Work in between. */
    INTERNAL
  }

  /** Whether anybody will see it; where not, nothing needs to be set. */
  boolean recorded();

  void name(String name);

  void set(String attribute, String value);

  void set(String attribute, long value);

  void set(String attribute, boolean value);

  /** Marks it as failed. @param type of the fault, one of few */
  void failed(String type);

  void end();

  /** In 32 hexadecimal digits. */
  String traceId();

  /** In 16 hexadecimal digits. */
  String id();

  /** The id of the caller's span; empty where the trace began here. */
  String parentId();

  /** The fields that tell the next party of it. */
  Fields propagationFields();
}
