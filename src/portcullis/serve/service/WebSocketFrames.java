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

  private byte first;
  private byte second;
  private byte headBytes;
  /** How much of the frame is still to come; while its head is read, the length as far as it has bytes of its own. */
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
      if (payload > 0 && headBytes == 0) {
        int n = (int) Math.min(payload, bytes.remaining());
        payload -= n;
        bytes.position(bytes.position() + n);
      } else {
        head(bytes.get());
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

  private void head(byte next) {
    if (headBytes == 0) {
      first = next;
    } else if (headBytes == 1) {
      second = next;
    } else if (headBytes < 2 + lengthBytes()) {
      payload = payload << 8 | next & 0xff;
    }
    headBytes++;
    if (headBytes >= 2 && headBytes == 2 + lengthBytes() + (second < 0 ? 4 : 0)) {
      begin();
    }
  }

  private int lengthBytes() {
    int announced = second & 0x7f;
    return announced == 126 ? 2 : announced == 127 ? 8 : 0;
  }

  private void begin() {
    if (lengthBytes() == 0) {
      payload = second & 0x7f;
    }
    if (payload < 0) {
      isBroken = true;
      payload = 0;
    }
    isClosed |= (first & 0xf) == OPCODE_CLOSE;
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
