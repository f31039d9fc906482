package portcullis.serve.service;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import portcullis.http.message.ValidRequest;
import portcullis.observe.tracing.Span;
import portcullis.observe.tracing.Trace;

/** Records a span and the metrics of every request, except health checks. Thread safe. */
final class TelemetryLayer implements Layer {
  private final TelemetrySinks sinks;
  private final RequestTelemetry telemetry;

  TelemetryLayer(TelemetrySinks sinks, RequestTelemetry telemetry) {
    this.sinks = sinks;
    this.telemetry = telemetry;
  }

  @Override
  public void handle(Transaction transaction, Handler next) throws IOException {
    Optional<ValidRequest> incoming = transaction.arrival() instanceof ValidRequest in ? Optional.of(in)
        : Optional.empty();
    if (telemetry.isHealthCheck(incoming)) {
      next.handle(transaction);
      return;
    }
    long begin = System.nanoTime();
    Optional<Trace> trace = sinks.tracer()
        .map(tracer -> new Trace(tracer, telemetry.startSpan(tracer, transaction, incoming)));
    boolean detailed = trace.isPresent() && trace.get().detailed();
    DecisionObserver watch = new DecisionObserver(detailed ? trace : Optional.empty(), sinks.instruments());
    if (detailed || sinks.instruments().isPresent()) {
      transaction.observeWith(watch);
    }
    try {
      counted(transaction, incoming, trace, next);
    } finally {
      if (trace.isPresent()) {
        end(trace.get().server(), transaction, watch);
      }
      if (sinks.instruments().isPresent()) {
        telemetry.record(sinks.instruments().get(), transaction, incoming, watch, System.nanoTime() - begin);
      }
    }
  }

  private void counted(Transaction transaction, Optional<ValidRequest> incoming, Optional<Trace> trace, Handler next)
      throws IOException {
    if (sinks.instruments().isEmpty()) {
      traced(transaction, trace, next);
      return;
    }
    LongAdder active = telemetry.active(sinks.instruments().get(), transaction, incoming);
    active.increment();
    try {
      traced(transaction, trace, next);
    } finally {
      active.decrement();
    }
  }

  private static void traced(Transaction transaction, Optional<Trace> trace, Handler next) throws IOException {
    if (trace.isPresent()) {
      trace.get().during(() -> next.handle(transaction));
    } else {
      next.handle(transaction);
    }
  }

  private void end(Span span, Transaction transaction, DecisionObserver watch) {
    if (span.recorded()) {
      telemetry.describe(span, transaction, watch);
    }
    span.end();
  }
}
