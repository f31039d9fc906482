package portcullis.http.h2;

/**
 * The SETTINGS of a peer (RFC 9113, 6.5.2) that matter to a sender without server push and without a dynamic table.
 *
 * @param initialWindow of a new stream, in bytes
 * @param maxFrame bytes of a frame's payload
 */
public record Http2Settings(int initialWindow, int maxFrame, int maxStreams) {
  /** The initial values (RFC 9113, 6.5.2). */
  public static final Http2Settings INITIAL = new Http2Settings(65535, 16384, Integer.MAX_VALUE);

  /** The six identifiers, in the order of their numbers from 1 on. */
  public enum Name {
    HEADER_TABLE_SIZE, ENABLE_PUSH, MAX_CONCURRENT_STREAMS, INITIAL_WINDOW_SIZE, MAX_FRAME_SIZE, MAX_HEADER_LIST_SIZE
  }

  private static final Name[] NAMES = Name.values();

  /**
   * Returns these settings with those of a frame applied one after the other (RFC 9113, 6.5.3); unknown ones are
   * ignored.
   */
  public Http2Settings with(byte[] payload, int length) throws Http2Exception {
    Http2Settings out = this;
    for (int i = 0; i < length; i += 6) {
      int id = (payload[i] & 0xff) << 8 | payload[i + 1] & 0xff;
      if (id >= 1 && id <= NAMES.length) {
        out = out.with(NAMES[id - 1], FrameInput.integer(payload, i + 2));
      }
    }
    return out;
  }

  private Http2Settings with(Name name, int value) throws Http2Exception {
    return switch (name) {
      case HEADER_TABLE_SIZE, MAX_HEADER_LIST_SIZE -> this;
      case ENABLE_PUSH -> {
        check(value == 0 || value == 1, Http2Error.PROTOCOL_ERROR);
        yield this;
      }
      case MAX_CONCURRENT_STREAMS -> new Http2Settings(initialWindow, maxFrame, value < 0 ? Integer.MAX_VALUE : value);
      case INITIAL_WINDOW_SIZE -> {
        check(value >= 0, Http2Error.FLOW_CONTROL_ERROR);
        yield new Http2Settings(value, maxFrame, maxStreams);
      }
      case MAX_FRAME_SIZE -> {
        check(value >= 16384 && value <= 16777215, Http2Error.PROTOCOL_ERROR);
        yield new Http2Settings(initialWindow, value, maxStreams);
      }
    };
  }

  private static void check(boolean fits, Http2Error error) throws Http2Exception {
    if (!fits) {
      throw Http2Exception.connection(error, "a setting beyond its range");
    }
  }
}
