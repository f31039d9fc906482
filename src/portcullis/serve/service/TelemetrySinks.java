package portcullis.serve.service;

import java.util.Optional;
import portcullis.observe.tracing.Tracer;

/** Where traces and metrics of requests are recorded; nowhere if both are empty. */
public record TelemetrySinks(Optional<Tracer> tracer, Optional<Instruments> instruments) {
  public static final TelemetrySinks NONE = new TelemetrySinks(Optional.empty(), Optional.empty());

  /** Returns whether anything is recorded. */
  boolean isActive() {
    return tracer.isPresent() || instruments.isPresent();
  }
}
