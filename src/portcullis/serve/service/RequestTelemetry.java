package portcullis.serve.service;

import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import portcullis.http.message.ValidRequest;
import portcullis.observe.tracing.Span;
import portcullis.observe.tracing.Tracer;

/** What traces and metrics record of a kind of request. Thread safe. */
interface RequestTelemetry {
  /** Returns whether the request is a health check, which is not recorded. */
  boolean isHealthCheck(Optional<ValidRequest> incoming);

  /** Starts the span of a request. */
  Span startSpan(Tracer tracer, Transaction transaction, Optional<ValidRequest> incoming);

  /** Returns the counter of similar requests in progress. */
  LongAdder active(Instruments instruments, Transaction transaction, Optional<ValidRequest> incoming);

  /** Adds the outcome of the request to its span. */
  void describe(Span span, Transaction transaction, DecisionObserver watch);

  /** The metrics of a request that are recorded at its end. */
  interface Ending {
    /** @param sent bytes of the response's body */
    void record(long nanos, long sent);
  }

  /** Counts a request whose response has begun, and its decision; returns what is to be recorded at its end. */
  Ending count(Instruments instruments, Transaction transaction, Optional<ValidRequest> incoming,
      DecisionObserver watch);
}
