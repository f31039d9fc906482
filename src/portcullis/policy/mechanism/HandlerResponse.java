package portcullis.policy.mechanism;

import portcullis.http.message.Answer;

/**
 * The answer of an error handler.
 *
 * @param explained whether it has the body of the failure's kind, where answers say what was wrong; its own is empty
 * then
 */
public record HandlerResponse(Answer answer, boolean explained) {
  /** An answer that is sent as it is. */
  public static HandlerResponse with(Answer answer) {
    return new HandlerResponse(answer, false);
  }

  /** Status and header fields, with the body of the failure's kind. */
  public static HandlerResponse explaining(Answer head) {
    return new HandlerResponse(head, true);
  }
}
