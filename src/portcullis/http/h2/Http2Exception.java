package portcullis.http.h2;

import java.io.IOException;

/**
 * Thrown if frames violate the rules of HTTP/2, on one stream or the whole connection (RFC 9113, 5.4). Without stack
 * trace.
 */
public final class Http2Exception extends IOException {
  private static final long serialVersionUID = 1;

  private final Http2Error error;
  private final int stream;

  private Http2Exception(Http2Error error, int stream, String reason) {
    super(reason);
    this.error = error;
    this.stream = stream;
  }

  public static Http2Exception connection(Http2Error error, String reason) {
    return new Http2Exception(error, 0, reason);
  }

  public static Http2Exception stream(int stream, Http2Error error, String reason) {
    return new Http2Exception(error, stream, reason);
  }

  public Http2Error error() {
    return error;
  }

  /** Returns the stream that it ends; 0 where it ends the connection. */
  public int stream() {
    return stream;
  }

  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
