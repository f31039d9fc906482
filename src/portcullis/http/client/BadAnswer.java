package portcullis.http.client;

import java.io.IOException;

/** What came is no answer by RFC 9110 and 9112, or goes beyond a limit. */
public final class BadAnswer extends IOException implements ClientFault {
  private static final long serialVersionUID = 1;

  BadAnswer(String message) {
    super(message);
  }

  BadAnswer(String message, Throwable cause) {
    super(message, cause);
  }
}
