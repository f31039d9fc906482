package portcullis.serve.service;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import portcullis.http.wire.MessageBounds;

/**
 * Follows the frames of one direction of a WebSocket (RFC 6455, 5.2), so that a frame can be put between two of them.
 */
final class WebSocketFrames implements MessageBounds {
  private static final int OPCODE_CLOSE = 8;
  private static final int POLICY_VIOLATION = 1008;
  private static final int LONGEST_REASON = 123;
  private static final int LONGEST_HEAD = 14;

  private final byte[] head = new byte[LONGEST_HEAD];
  private int headBytes;
  private long payload;
  private boolean isClosed;
  private boolean isBroken;

  @Override
  public void pass(ByteBuffer bytes) {
    while (bytes.hasRemaining() && !isBroken) {
      passFrame(bytes);
    }
  }

  @Override
  public void finish(ByteBuffer bytes) {
    if (!isBetween()) {
      passFrame(bytes);
    }
  }

  private void passFrame(ByteBuffer bytes) {
    while (bytes.hasRemaining() && !isBroken) {
      if (payload > 0) {
        int n = (int) Math.min(payload, bytes.remaining());
        payload -= n;
        bytes.position(bytes.position() + n);
      } else {
        head[headBytes] = bytes.get();
        headBytes++;
        if (headBytes >= 2 && headBytes == headLength()) {
          begin();
        }
      }
      if (isBetween()) {
        break;
      }
    }
  }

  @Override
  public boolean isBetween() {
    return headBytes == 0 && payload == 0;
  }

  private int headLength() {
    int length = head[1] & 0x7f;
    return 2 + (length == 126 ? 2 : length == 127 ? 8 : 0) + (head[1] < 0 ? 4 : 0);
  }

  private void begin() {
    int length = head[1] & 0x7f;
    payload = length;
    if (length >= 126) {
      payload = 0;
      for (int i = 2; i < (length == 126 ? 4 : 10); i++) {
        payload = payload << 8 | head[i] & 0xff;
      }
    }
    if (payload < 0) {
      isBroken = true;
      payload = 0;
    }
    isClosed |= (head[0] & 0xf) == OPCODE_CLOSE;
    headBytes = 0;
  }

  /** Returns whether more frames may follow; none follows a close frame. */
  @Override
  public boolean isOpen() {
    return !isBroken && !isClosed && isBetween();
  }

  /**
   * Returns a frame that closes the connection with status 1008.
   *
   * @param masked as clients have to send it (RFC 6455, 5.3)
   */
  static byte[] close(String reason, boolean masked) {
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(text.length, LONGEST_REASON);
    byte[] content = new byte[2 + length];
    content[0] = (byte) (POLICY_VIOLATION >> 8);
    content[1] = (byte) POLICY_VIOLATION;
    System.arraycopy(text, 0, content, 2, length);
    int start = masked ? 6 : 2;
    byte[] frame = new byte[start + content.length];
    frame[0] = (byte) (0x80 | OPCODE_CLOSE);
    frame[1] = (byte) (content.length | (masked ? 0x80 : 0));
    int mask = masked ? ThreadLocalRandom.current().nextInt() : 0;
    for (int i = 0; masked && i < 4; i++) {
      frame[2 + i] = (byte) (mask >> 24 - 8 * i);
    }
    for (int i = 0; i < content.length; i++) {
      frame[start + i] = (byte) (content[i] ^ mask >> 24 - 8 * (i & 3));
    }
    return frame;
  }
}
