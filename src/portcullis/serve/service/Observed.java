package portcullis.serve.service;

import java.util.Optional;
import portcullis.observe.tracing.Tracer;

/** Who is told of requests; nobody where both are empty. */
public record Observed(Optional<Tracer> tracer, Optional<Instruments> instruments) {
  public static final Observed NOT = new Observed(Optional.empty(), Optional.empty());

  /** Whether anything is reported. */
  boolean byAnybody() {
    return tracer.isPresent() || instruments.isPresent();
  }
}
