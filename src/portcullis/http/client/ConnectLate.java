package portcullis.http.client;

import java.net.http.HttpConnectTimeoutException;

/** No connection came about in time, or none became free. Nothing was sent. */
public final class ConnectLate extends HttpConnectTimeoutException implements ClientFault {
  private static final long serialVersionUID = 1;

  ConnectLate(String message) {
    super(message);
  }
}
