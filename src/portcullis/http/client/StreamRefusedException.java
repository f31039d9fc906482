package portcullis.http.client;

import java.io.IOException;

/**
 * Thrown if the upstream has not processed the request and will not: it may be sent again, whatever its method (RFC
 * 9113, 8.7).
 */
final class StreamRefusedException extends IOException {
  private static final long serialVersionUID = 1;

  StreamRefusedException() {
    super("the upstream refused the request unseen");
  }
}
