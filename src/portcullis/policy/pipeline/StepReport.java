package portcullis.policy.pipeline;

import java.util.Locale;
import java.util.Optional;
import portcullis.policy.mechanism.Failure;

/**
 * How a step went.
 *
 * @param nanos that it took
 * @param cached whether an answer that it needed was there already
 * @param failure why it did not pass; empty where it did, was skipped, or broke
 */
public record StepReport(Step<?> step, Outcome outcome, long nanos, boolean cached, Optional<Failure> failure) {
  /** What became of a step. */
  public enum Outcome {
    PASSED,
    /** Its condition does not hold. */
    SKIPPED,
    FAILED,
    /** It failed, and the pipeline goes on: another authenticator is next, or a contextualizer is lenient. */
    FORGIVEN,
    /** A bug ended it. */
    BROKEN;

    private final String text = name().toLowerCase(Locale.ROOT);

    /** In small letters, as traces and metrics say it. */
    public String text() {
      return text;
    }
  }
}
