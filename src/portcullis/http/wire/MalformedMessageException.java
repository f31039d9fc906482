package portcullis.http.wire;

import java.io.IOException;
import portcullis.http.message.Answerable;

/**
 * What came is no message by the grammar, or goes beyond a limit; the connection is of no use any more. Without a stack
 * trace, as peers can provoke it at will.
 */
public final class MalformedMessageException extends IOException implements Answerable {
  private static final long serialVersionUID = 1;

  private final int status;

  /**
   * Says what is wrong.
   *
   * @param status that a server answers to it; no matter where it was an answer that is malformed
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
