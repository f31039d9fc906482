package portcullis.http.client;

import java.net.http.HttpTimeoutException;

/** Thrown if the response was not received in time; the request may have been processed. */
public final class ResponseTimeoutException extends HttpTimeoutException implements ClientException {
  private static final long serialVersionUID = 1;

  ResponseTimeoutException(String message) {
    super(message);
  }
}
