package portcullis.serve.feed;

/**
 * A step of a decision, without settings and data; immutable.
 *
 * @param kind as {@code authorizer}
 * @param error the kind of its failure; empty for none
 * @param reason its failure in one line; empty for none
 */
public record DecidedStep(String id, String kind, String type, String outcome, long nanos, String error,
    String reason) {
  public DecidedStep {
    reason = FeedEntry.shortened(reason, FeedEntry.LONGEST_REASON);
  }
}
