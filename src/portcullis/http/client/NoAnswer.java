package portcullis.http.client;

import java.io.IOException;

/** The connection ended before the first byte of a response; the request may have been processed. */
public final class NoAnswer extends IOException implements ClientException {
  private static final long serialVersionUID = 1;

  NoAnswer(String message) {
    super(message);
  }

  NoAnswer(String message, Throwable cause) {
    super(message, cause);
  }
}
