package portcullis.serve.service;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import portcullis.http.message.Incoming;
import portcullis.observe.tracing.Span;
import portcullis.observe.tracing.Trace;

/** Makes a span of every request and measures it, but for questions after our health. Thread safe. */
final class Watch implements Layer {
  private final Observed observed;
  private final Watched watched;

  Watch(Observed observed, Watched watched) {
    this.observed = observed;
    this.watched = watched;
  }

  @Override
  public void handle(Transaction transaction, Handler next) throws IOException {
    Optional<Incoming> incoming = transaction.arrival() instanceof Incoming in ? Optional.of(in) : Optional.empty();
    if (watched.asksAfterHealth(incoming)) {
      next.handle(transaction);
      return;
    }
    long begin = System.nanoTime();
    Optional<Trace> trace = observed.tracer()
        .map(tracer -> new Trace(tracer, watched.begun(tracer, transaction, incoming)));
    boolean detailed = trace.isPresent() && trace.get().detailed();
    DecisionObserver watch = new DecisionObserver(detailed ? trace : Optional.empty(), observed.instruments());
    if (detailed || observed.instruments().isPresent()) {
      transaction.watchedBy(watch);
    }
    try {
      counted(transaction, incoming, trace, next);
    } finally {
      if (trace.isPresent()) {
        end(trace.get().server(), transaction, watch);
      }
      if (observed.instruments().isPresent()) {
        watched.note(observed.instruments().get(), transaction, incoming, watch, System.nanoTime() - begin);
      }
    }
  }

  private void counted(Transaction transaction, Optional<Incoming> incoming, Optional<Trace> trace, Handler next)
      throws IOException {
    if (observed.instruments().isEmpty()) {
      traced(transaction, trace, next);
      return;
    }
    LongAdder active = watched.active(observed.instruments().get(), transaction, incoming);
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
      watched.describe(span, transaction, watch);
    }
    span.end();
  }
}
