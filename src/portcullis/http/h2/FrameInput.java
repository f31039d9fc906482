package portcullis.http.h2;

import java.io.IOException;
import java.util.Arrays;
import portcullis.http.wire.MalformedMessageException;
import portcullis.http.wire.WireInput;

/**
 * Reads the frames of a connection of HTTP/2 (RFC 9113, 4.1), one after the other. The length that a frame of a type
 * must have is checked here, its meaning is not. For one thread.
 */
public final class FrameInput {
  private static final int MAX_LENGTH = 16384;

  /** What happens while the rest of a frame has to be waited for. */
  interface Waits {
    /** None of it matters. */
    Waits ANY = new Waits() {
      @Override
      public void begins(FrameInput frame) {}

      @Override
      public void ends() {}
    };

    /** The payload of a frame has not come at once. */
    void begins(FrameInput frame);

    /** The rest of it has come. */
    void ends();
  }

  private final WireInput in;
  private final Waits waits;
  private FrameType type = FrameType.UNKNOWN;
  private int flags;
  private int stream;
  private int length;
  private int from;
  private int to;
  /** What longer payloads take is not kept: a connection may be quiet for long behind them. */
  private final byte[] small = new byte[512];
  private byte[] payload = small;

  public FrameInput(WireInput in) {
    this(in, Waits.ANY);
  }

  FrameInput(WireInput in, Waits waits) {
    this.in = in;
    this.waits = waits;
  }

  /**
   * Goes to the next frame: {@code Length (24), Type (8), Flags (8), Reserved (1), Stream Identifier (31), Frame
   * Payload}.
   *
   * @return false where the connection ended before it
   */
  public boolean next() throws IOException {
    payload = small;
    int first = in.read();
    if (first < 0) {
      return false;
    }
    length = first << 16 | octet() << 8 | octet();
    type = FrameType.of(octet());
    flags = octet();
    stream = (octet() << 24 | octet() << 16 | octet() << 8 | octet()) & Integer.MAX_VALUE;
    if (length > MAX_LENGTH) {
      throw Http2Exception.connection(Http2Error.FRAME_SIZE_ERROR, "a frame longer than allowed");
    }
    readPayload();
    from = 0;
    to = length;
    check();
    return true;
  }

  /** Takes memory for a long one only once it has begun to come. */
  private void readPayload() throws IOException {
    boolean waiting = false;
    for (int n = 0; n < length;) {
      if (!waiting && !in.hasBuffered()) {
        waiting = true;
        waits.begins(this);
      }
      n += read(n, Math.min(length, n == 0 ? small.length : length) - n);
      if (payload.length < length) {
        payload = Arrays.copyOf(small, length);
      }
    }
    if (waiting) {
      waits.ends();
    }
  }

  private int read(int at, int most) throws IOException {
    int n = in.read(payload, at, most);
    if (n < 0) {
      throw ended();
    }
    return n;
  }

  private int octet() throws IOException {
    int octet = in.read();
    if (octet < 0) {
      throw ended();
    }
    return octet;
  }

  private static IOException ended() {
    return new MalformedMessageException(400, "the connection ended inside a frame");
  }

  private void check() throws Http2Exception {
    switch (type) {
      case DATA, HEADERS -> trim();
      case PRIORITY -> {
        require(length == 5, stream);
        dependency();
      }
      case RST_STREAM, WINDOW_UPDATE -> require(length == 4, 0);
      case SETTINGS -> require(has(FrameType.ACK) ? length == 0 : length % 6 == 0, 0);
      case PING -> require(length == 8, 0);
      case GOAWAY -> require(length >= 8, 0);
      case PUSH_PROMISE, CONTINUATION, UNKNOWN -> {
      }
    }
  }

  private static void require(boolean fits, int stream) throws Http2Exception {
    if (!fits) {
      throw stream == 0
          ? Http2Exception.connection(Http2Error.FRAME_SIZE_ERROR, "a frame of a length that its type does not allow")
          : Http2Exception.stream(stream, Http2Error.FRAME_SIZE_ERROR,
              "a frame of a length that its type does not allow");
    }
  }

  /**
   * {@code [ Pad Length (8) ], [ Exclusive (1), Stream Dependency (31), Weight (8) ], content, Padding} (RFC 9113, 6.1,
   * 6.2).
   */
  private void trim() throws Http2Exception {
    int padding = 0;
    if (has(FrameType.PADDED)) {
      require(to > 0, 0);
      padding = payload[0] & 0xff;
      from = 1;
    }
    if (type == FrameType.HEADERS && has(FrameType.PRIORITIZED)) {
      require(to - from >= 5, 0);
      dependency();
      from += 5;
    }
    if (padding > to - from) {
      throw Http2Exception.connection(Http2Error.PROTOCOL_ERROR, "more padding than there is frame");
    }
    to -= padding;
  }

  private void dependency() throws Http2Exception {
    if (stream != 0 && (integer(payload, from) & Integer.MAX_VALUE) == stream) {
      throw Http2Exception.stream(stream, Http2Error.PROTOCOL_ERROR, "a stream that depends on itself");
    }
  }

  public FrameType type() {
    return type;
  }

  public boolean has(int flag) {
    return (flags & flag) != 0;
  }

  /** Returns the stream of the frame; 0 for the connection. */
  public int stream() {
    return stream;
  }

  /**
   * The bytes of the payload, until the next frame; the content lies between {@link #from} and {@link #to}.
   */
  public byte[] payload() {
    return payload;
  }

  /** Returns where the content begins, behind what says how it is padded. */
  public int from() {
    return from;
  }

  public int to() {
    return to;
  }

  /** Returns the length of the payload with its padding, which DATA takes from the windows. */
  public int length() {
    return length;
  }

  /** Returns the content, in an array that is the caller's; to be called once. */
  public byte[] content() {
    if (payload != small && to - from == payload.length) {
      byte[] out = payload;
      payload = small;
      return out;
    }
    return Arrays.copyOfRange(payload, from, to);
  }

  /** Returns the four octets of the content at that place. */
  public int integer(int place) {
    return integer(payload, from + place);
  }

  static int integer(byte[] bytes, int at) {
    return (bytes[at] & 0xff) << 24 | (bytes[at + 1] & 0xff) << 16 | (bytes[at + 2] & 0xff) << 8 | bytes[at + 3] & 0xff;
  }
}
