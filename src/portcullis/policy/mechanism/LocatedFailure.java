package portcullis.policy.mechanism;

/**
 * A failure and where in the pipeline it happened.
 *
 * @param source the id of the mechanism; empty where it was none
 * @param step the id of the step; empty where it was none
 */
public record LocatedFailure(Failure failure, String source, String step) {}
