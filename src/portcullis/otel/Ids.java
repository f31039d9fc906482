package portcullis.otel;

import io.opentelemetry.sdk.trace.IdGenerator;

/**
 * Random ids that do not claim to be so: not every party knows the flag of W3C Trace Context, level 2, yet. The next trace of
 * a thread may be given its id ahead.
 */
final class Ids implements IdGenerator {
  private final IdGenerator random = IdGenerator.random();
  private final ThreadLocal<String> given = new ThreadLocal<>();

  /** The trace that this thread begins next has that id. */
  void give(String traceId) {
    given.set(traceId);
  }

  /** What was given and not taken is forgotten. */
  void forget() {
    given.remove();
  }

  @Override
  public String generateSpanId() {
    return random.generateSpanId();
  }

  @Override
  public String generateTraceId() {
    String id = given.get();
    return id == null ? random.generateTraceId() : id;
  }

  @Override
  public boolean generatesRandomTraceIds() {
    return false;
  }
}
