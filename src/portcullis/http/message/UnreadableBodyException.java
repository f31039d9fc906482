package portcullis.http.message;

/**
 * Thrown if a rule uses a body that cannot be read: too large, broken, not sent in time, or too much is being parsed.
 * It passes through templates and expressions unseen and ends where the request is answered.
 */
public final class UnreadableBodyException extends RuntimeException implements HasStatus {
  private static final long serialVersionUID = 1;

  private final int status;

  UnreadableBodyException(int status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  /** 400, 408, 413 or 503. */
  @Override
  public int status() {
    return status;
  }
}
