package portcullis.http.message;

import portcullis.lang.value.BudgetExceededException;

/**
 * A body that a rule asked for and that cannot be had, by the client's fault or as too
 * much is being parsed: too large, broken, not sent in time, no memory for it. It
 * passes through templates and expressions unseen and ends where the request is answered.
 */
public final class UnreadableBody extends RuntimeException implements Answerable {
  private static final long serialVersionUID = 1;

  private final int status;

  UnreadableBody(int status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  /** For a request on whose behalf something cannot be parsed now, as too much is. */
  public static UnreadableBody busy(BudgetExceededException fault) {
    return new UnreadableBody(503, fault.getMessage());
  }

  /** 400, 408, 413 or 503. */
  @Override
  public int status() {
    return status;
  }
}
