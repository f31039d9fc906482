package portcullis.http.h2;

/** The types of frames (RFC 9113, 6), in the order of their numbers from 0 on, and all others. */
public enum FrameType {
  DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION, UNKNOWN;

  /** Flag of DATA and HEADERS: the last frame of its side of the stream. */
  public static final int END_STREAM = 1;
  /** Flag of SETTINGS and PING: an acknowledgement. */
  public static final int ACK = 1;
  /** Flag of HEADERS and CONTINUATION: the last frame of its block. */
  public static final int END_HEADERS = 4;
  /** Flag of DATA and HEADERS: padding follows the content. */
  public static final int PADDED = 8;
  /** Flag of HEADERS: a priority precedes the content. */
  public static final int PRIORITIZED = 32;

  private static final FrameType[] ALL = values();

  static FrameType of(int number) {
    return number < UNKNOWN.ordinal() ? ALL[number] : UNKNOWN;
  }
}
