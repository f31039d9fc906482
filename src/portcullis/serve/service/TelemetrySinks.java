package portcullis.serve.service;

import java.util.Optional;
import portcullis.observe.tracing.Tracer;

/** Who is told of requests; nobody where both are empty. */
public record TelemetrySinks(Optional<Tracer> tracer, Optional<Instruments> instruments) {
  public static final TelemetrySinks NONE = new TelemetrySinks(Optional.empty(), Optional.empty());

  /** Whether anything is reported. */
  boolean isActive() {
    return tracer.isPresent() || instruments.isPresent();
  }
}
