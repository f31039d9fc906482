package portcullis.http.client;

import java.net.http.HttpConnectTimeoutException;

/** Thrown if no connection was established or became free in time. Nothing was sent. */
public final class ConnectTimeoutException extends HttpConnectTimeoutException implements ClientException {
  private static final long serialVersionUID = 1;

  ConnectTimeoutException(String message) {
    super(message);
  }
}
