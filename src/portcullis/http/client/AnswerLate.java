package portcullis.http.client;

import java.net.http.HttpTimeoutException;

/** The answer did not come in time; the request may have been acted on. */
public final class AnswerLate extends HttpTimeoutException implements ClientFault {
  private static final long serialVersionUID = 1;

  AnswerLate(String message) {
    super(message);
  }
}
