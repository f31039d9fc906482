package portcullis.http.h2;

/** The error codes of HTTP/2 (RFC 9113, 7); a code is its place here. */
public enum Http2Error {
  NO_ERROR, PROTOCOL_ERROR, INTERNAL_ERROR, FLOW_CONTROL_ERROR, SETTINGS_TIMEOUT, STREAM_CLOSED, FRAME_SIZE_ERROR,
  REFUSED_STREAM, CANCEL, COMPRESSION_ERROR, CONNECT_ERROR, ENHANCE_YOUR_CALM, INADEQUATE_SECURITY, HTTP_1_1_REQUIRED;

  private static final Http2Error[] ALL = values();

  /** Returns the error of a code; an unknown one is treated as an internal error (RFC 9113, 7). */
  public static Http2Error of(int code) {
    return code >= 0 && code < ALL.length ? ALL[code] : INTERNAL_ERROR;
  }
}
