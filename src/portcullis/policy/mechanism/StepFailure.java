package portcullis.policy.mechanism;

/**
 * A failure and where it happened.
 *
 * @param source the id of the mechanism; empty if there is none
 * @param step the id of the step; empty if there is none
 */
public record StepFailure(Failure failure, String source, String step) {}
