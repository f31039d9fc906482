package portcullis.service;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import portcullis.message.Incoming;
import portcullis.pipeline.Observer;
import portcullis.tracing.Trace;

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
    Optional<Trace> trace = observed.tracer().map(tracer -> new Trace(tracer, watched.begun(tracer, transaction, incoming)));
    Optional<Trace> detailed = trace.filter(Trace::detailed);
    JudgementWatch watch = new JudgementWatch(detailed, observed.instruments());
    transaction.watchedBy(detailed.isPresent() || observed.instruments().isPresent() ? watch : Observer.NOBODY);
    Optional<LongAdder> active = observed.instruments().map(i -> watched.active(i, transaction, incoming));
    active.ifPresent(LongAdder::increment);
    try {
      if (trace.isPresent()) {
        trace.get().during(() -> next.handle(transaction));
      } else {
        next.handle(transaction);
      }
    } finally {
      active.ifPresent(LongAdder::decrement);
      trace.map(Trace::server).ifPresent(span -> {
        if (span.recorded()) {
          watched.describe(span, transaction, watch);
        }
        span.end();
      });
      observed.instruments().ifPresent(i -> watched.note(i, transaction, incoming, watch, System.nanoTime() - begin));
    }
  }
}
