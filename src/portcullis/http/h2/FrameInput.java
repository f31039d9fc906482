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

  private final WireInput in;
  private FrameType type = FrameType.UNKNOWN;
  private int flags;
  private int stream;
  private int length;
  private int from;
  private int to;
  private byte[] payload = new byte[512];

  public FrameInput(WireInput in) {
    this.in = in;
  }

  /**
   * Goes to the next frame: {@code Length (24), Type (8), Flags (8), Reserved (1), Stream Identifier (31), Frame
   * Payload}.
   *
   * @return false where the connection ended before it
   */
  public boolean next() throws IOException {
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
    if (payload.length < length) {
      payload = new byte[length > 4096 ? MAX_LENGTH : length];
    }
    for (int n = 0; n < length;) {
      int read = in.read(payload, n, length - n);
      if (read < 0) {
        throw ended();
      }
      n += read;
    }
    from = 0;
    to = length;
    check();
    return true;
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
   * The bytes of the payload, used again for the next frame; the content lies between {@link #from} and {@link #to}.
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

  /** Returns a copy of the content. */
  public byte[] content() {
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
