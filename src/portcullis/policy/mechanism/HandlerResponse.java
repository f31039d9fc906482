package portcullis.policy.mechanism;

import portcullis.http.message.Response;

/**
 * The response of an error handler.
 *
 * @param explained whether the body of the default response is added if responses are verbose
 */
public record HandlerResponse(Response answer, boolean explained) {
  /** Returns a response that is sent as it is. */
  public static HandlerResponse with(Response answer) {
    return new HandlerResponse(answer, false);
  }

  /** Returns status and header fields, to which the default body is added. */
  public static HandlerResponse explaining(Response head) {
    return new HandlerResponse(head, true);
  }
}
