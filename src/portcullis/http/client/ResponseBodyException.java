package portcullis.http.client;

import java.io.IOException;

/** Thrown if the body of a response ended early, stalled, or has invalid framing; what was read is incomplete. */
public final class ResponseBodyException extends IOException implements ClientException {
  private static final long serialVersionUID = 1;

  ResponseBodyException(String message) {
    super(message);
  }

  ResponseBodyException(String message, Throwable cause) {
    super(message, cause);
  }
}
