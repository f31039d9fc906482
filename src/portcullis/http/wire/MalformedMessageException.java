package portcullis.http.wire;

import java.io.IOException;
import portcullis.http.message.HasStatus;

/**
 * Thrown if input is not a valid message or exceeds a limit; the connection cannot be used any more. Without a stack
 * trace, as peers can provoke it at will.
 */
public final class MalformedMessageException extends IOException implements HasStatus {
  private static final long serialVersionUID = 1;

  private final int status;

  /**
   * Creates the exception.
   *
   * @param status that a server answers; unused for malformed answers
   * @param reason with nothing of the message in it
   */
  public MalformedMessageException(int status, String reason) {
    super(reason);
    this.status = status;
  }

  @Override
  public int status() {
    return status;
  }

  public String reason() {
    return getMessage();
  }

  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
