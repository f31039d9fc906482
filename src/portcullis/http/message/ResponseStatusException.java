package portcullis.http.message;

/** Thrown if a message is refused, with the status of the answer. An expected outcome, so without stack trace. */
public final class ResponseStatusException extends Exception implements HasStatus {
  private static final long serialVersionUID = 1;

  private final int status;

  public ResponseStatusException(int status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  static ResponseStatusException badRequest(String message) {
    return new ResponseStatusException(400, message);
  }

  @Override
  public int status() {
    return status;
  }
}
