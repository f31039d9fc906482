package portcullis.serve.service;

import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import portcullis.http.message.Incoming;
import portcullis.observe.tracing.Span;
import portcullis.observe.tracing.Tracer;

/** What traces and metrics record of a kind of request. Thread safe. */
interface RequestTelemetry {
  /** Returns whether the request is a health check, which is not recorded. */
  boolean isHealthCheck(Optional<Incoming> incoming);

  /** Starts the span of a request. */
  Span startSpan(Tracer tracer, Transaction transaction, Optional<Incoming> incoming);

  /** Returns the counter of similar requests in progress. */
  LongAdder active(Instruments instruments, Transaction transaction, Optional<Incoming> incoming);

  /** Adds the outcome of the request to its span. */
  void describe(Span span, Transaction transaction, DecisionObserver watch);

  /** Records a completed request and counts its decision. */
  void record(Instruments instruments, Transaction transaction, Optional<Incoming> incoming, DecisionObserver watch,
      long nanos);
}
