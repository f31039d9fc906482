package portcullis.serve.service;

import java.util.Optional;
import portcullis.observe.decisions.AuditTrail;
import portcullis.observe.decisions.DecisionLog;
import portcullis.observe.tracing.Tracer;
import portcullis.serve.feed.DecisionFeed;
import portcullis.serve.shadow.ShadowJudge;

/**
 * Where traces, metrics and decisions of requests are recorded; nowhere if all are empty.
 *
 * @param shadow decides requests by shadow rules too
 * @param feed recent decisions for the console
 */
public record TelemetrySinks(Optional<Tracer> tracer, Optional<Instruments> instruments,
    Optional<DecisionLog> decisions, Optional<ShadowJudge> shadow, Optional<DecisionFeed> feed) {
  public static final TelemetrySinks NONE = new TelemetrySinks(Optional.empty(), Optional.empty());

  /** Creates sinks without a decision log. */
  public TelemetrySinks(Optional<Tracer> tracer, Optional<Instruments> instruments) {
    this(tracer, instruments, Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** Creates sinks without shadow rules. */
  public TelemetrySinks(Optional<Tracer> tracer, Optional<Instruments> instruments, Optional<DecisionLog> decisions) {
    this(tracer, instruments, decisions, Optional.empty(), Optional.empty());
  }

  /** Returns whether decisions are recorded. */
  boolean recordsDecisions() {
    return decisions.isPresent() || shadow.isPresent();
  }

  /** Returns the record of what administrators change; it records nothing if there is no audit chain. */
  public AuditTrail audit() {
    return decisions.map(DecisionLog::audit).orElse(AuditTrail.NONE);
  }

  /** Returns whether traces or metrics are recorded. */
  boolean isActive() {
    return tracer.isPresent() || instruments.isPresent();
  }
}
