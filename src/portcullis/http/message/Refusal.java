package portcullis.http.message;

/** Thrown if a message is refused, with the status of the answer. An expected outcome, so without stack trace. */
public final class Refusal extends Exception implements Answerable {
  private static final long serialVersionUID = 1;

  private final int status;

  public Refusal(int status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  static Refusal badRequest(String message) {
    return new Refusal(400, message);
  }

  @Override
  public int status() {
    return status;
  }
}
