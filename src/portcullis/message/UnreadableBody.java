package portcullis.message;

/**
 * A body that a rule asked for and that cannot be had, by the client's fault: too large, broken, or not sent in time. It
 * passes through templates and expressions unseen and ends where the request is answered.
 */
public final class UnreadableBody extends RuntimeException implements Answerable {
  private static final long serialVersionUID = 1;

  private final int status;

  UnreadableBody(int status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  /** 400, 408 or 413. */
  @Override
  public int status() {
    return status;
  }
}
