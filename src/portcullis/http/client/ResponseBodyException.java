package portcullis.http.client;

import java.io.IOException;

/** The body of a response broke off, stalled, or is badly framed; what was read of it is not the whole. */
public final class ResponseBodyException extends IOException implements ClientException {
  private static final long serialVersionUID = 1;

  ResponseBodyException(String message) {
    super(message);
  }

  ResponseBodyException(String message, Throwable cause) {
    super(message, cause);
  }
}
