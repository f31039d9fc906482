package portcullis.policy.mechanism;

import portcullis.http.message.Answer;

/**
 * The answer of an error handler.
 *
 * @param explained whether it has the body of the failure's kind, where answers say what was wrong; its own is empty
 * then
 */
public record Handled(Answer answer, boolean explained) {
  /** An answer that is sent as it is. */
  public static Handled with(Answer answer) {
    return new Handled(answer, false);
  }

  /** Status and header fields, with the body of the failure's kind. */
  public static Handled explaining(Answer head) {
    return new Handled(head, true);
  }
}
