package portcullis.policy.pipeline;

import java.util.Locale;
import java.util.Optional;
import portcullis.policy.mechanism.Failure;

/**
 * The result of a step.
 *
 * @param nanos its duration
 * @param cached whether it used a cached response
 * @param failure the cause if it failed; otherwise empty
 */
public record StepReport(Step<?> step, Outcome outcome, long nanos, boolean cached, Optional<Failure> failure) {
  /** The outcome of a step. */
  public enum Outcome {
    PASSED,
    /** Its condition is false. */
    SKIPPED,
    FAILED,
    /**
     * It failed, and the pipeline continues: with another authenticator, or as errors of the contextualizer are
     * ignored.
     */
    FORGIVEN,
    /** A bug ended it. */
    BROKEN;

    private final String text = name().toLowerCase(Locale.ROOT);

    /** Returns the name in lower case, as in traces and metrics. */
    public String text() {
      return text;
    }
  }
}
