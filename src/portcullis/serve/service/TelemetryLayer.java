package portcullis.serve.service;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import portcullis.http.message.ResponseWriter;
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
    Optional<LongAdder> active = sinks.instruments().map(of -> telemetry.active(of, transaction, incoming));
    active.ifPresent(LongAdder::increment);
    try {
      traced(transaction, trace, next);
    } finally {
      transaction.atReturn(() -> {
        Optional<Span> span = trace.map(Trace::server);
        span.filter(Span::recorded).ifPresent(server -> telemetry.describe(server, transaction, watch));
        Optional<RequestTelemetry.Ending> ending = sinks.instruments()
            .map(of -> telemetry.count(of, transaction, incoming, watch));
        ResponseWriter reply = transaction.reply();
        transaction.atEnd(_ -> {
          active.ifPresent(LongAdder::decrement);
          span.ifPresent(Span::end);
          ending.ifPresent(all -> all.record(System.nanoTime() - begin, reply.sent()));
        });
      });
    }
  }

  private static void traced(Transaction transaction, Optional<Trace> trace, Handler next) throws IOException {
    if (trace.isPresent()) {
      trace.get().during(() -> next.handle(transaction));
    } else {
      next.handle(transaction);
    }
  }
}
