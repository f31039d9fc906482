package portcullis.http.client;

import java.io.IOException;

/** The connection ended before the first byte of an answer; the request may have been acted on. */
public final class NoAnswer extends IOException implements ClientFault {
  private static final long serialVersionUID = 1;

  NoAnswer(String message) {
    super(message);
  }

  NoAnswer(String message, Throwable cause) {
    super(message, cause);
  }
}
