package portcullis.http.client;

import java.io.IOException;

/** Thrown if the response is invalid (RFC 9110, 9112 and 9113) or exceeds a limit. */
public final class InvalidResponseException extends IOException implements ClientException {
  private static final long serialVersionUID = 1;

  InvalidResponseException(String message) {
    super(message);
  }

  InvalidResponseException(String message, Throwable cause) {
    super(message, cause);
  }
}
