package portcullis.http.client;

import java.net.ConnectException;

/** Thrown if no connection can be made: unknown name, refused connection, failed TLS handshake. Nothing was sent. */
public final class UnreachableException extends ConnectException implements ClientException {
  private static final long serialVersionUID = 1;

  UnreachableException(String message) {
    super(message);
  }

  UnreachableException(String message, Throwable cause) {
    super(message);
    initCause(cause);
  }
}
