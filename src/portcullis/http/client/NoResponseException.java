package portcullis.http.client;

import java.io.IOException;

/** Thrown if the connection ended before the first byte of a response; the request may have been processed. */
public final class NoResponseException extends IOException implements ClientException {
  private static final long serialVersionUID = 1;

  NoResponseException(String message) {
    super(message);
  }

  NoResponseException(String message, Throwable cause) {
    super(message, cause);
  }
}
