package portcullis.http.client;

import java.io.IOException;

/** The response is not valid by RFC 9110, 9112 and 9113, or goes beyond a limit. */
public final class BadAnswer extends IOException implements ClientException {
  private static final long serialVersionUID = 1;

  BadAnswer(String message) {
    super(message);
  }

  BadAnswer(String message, Throwable cause) {
    super(message, cause);
  }
}
