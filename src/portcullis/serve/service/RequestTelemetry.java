package portcullis.serve.service;

import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import portcullis.http.message.Incoming;
import portcullis.observe.tracing.Span;
import portcullis.observe.tracing.Tracer;

/** What traces and metrics say of a kind of request; thread safe. */
interface RequestTelemetry {
  /** Whether it is a health check, which is not reported. */
  boolean isHealthCheck(Optional<Incoming> incoming);

  /** The span of one that has come in. */
  Span startSpan(Tracer tracer, Transaction transaction, Optional<Incoming> incoming);

  /** How many like it are in progress. */
  LongAdder active(Instruments instruments, Transaction transaction, Optional<Incoming> incoming);

  /** Says of its span what has become of it. */
  void describe(Span span, Transaction transaction, DecisionObserver watch);

  /** Measures a finished request and counts its decision. */
  void record(Instruments instruments, Transaction transaction, Optional<Incoming> incoming, DecisionObserver watch,
      long nanos);
}
