package portcullis.serve.service;

import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import portcullis.http.message.Incoming;
import portcullis.observe.tracing.Span;
import portcullis.observe.tracing.Tracer;

/** What traces and metrics say of a kind of request; thread safe. */
interface Watched {
  /** Whether it only asks after our health, of which nothing is told. */
  boolean asksAfterHealth(Optional<Incoming> incoming);

  /** The span of one that has come in. */
  Span begun(Tracer tracer, Transaction transaction, Optional<Incoming> incoming);

  /** How many like it are in progress. */
  LongAdder active(Instruments instruments, Transaction transaction, Optional<Incoming> incoming);

  /** Says of its span what has become of it. */
  void describe(Span span, Transaction transaction, JudgementWatch watch);

  /** Measures one that is over, and counts its verdict. */
  void note(Instruments instruments, Transaction transaction, Optional<Incoming> incoming, JudgementWatch watch,
      long nanos);
}
