package portcullis.otel;

import io.opentelemetry.sdk.trace.IdGenerator;

/** Random ids that do not claim to be so: not every party knows the flag of W3C Trace Context, level 2, yet. */
final class Ids implements IdGenerator {
  private final IdGenerator random = IdGenerator.random();

  @Override
  public String generateSpanId() {
    return random.generateSpanId();
  }

  @Override
  public String generateTraceId() {
    return random.generateTraceId();
  }

  @Override
  public boolean generatesRandomTraceIds() {
    return false;
  }
}
