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
  static final int GOING_AWAY = 1001;
  static final int POLICY_VIOLATION = 1008;
  private static final int CONTROL = 8;
  private static final int LARGEST_OPCODE = 10;
  private static final int STATUS_BYTES = 2;
  private static final int LONGEST_REASON = 123;

  private final TunnelEnd end;
  private final TunnelEnd.Side from;
  private byte first;
  private byte second;
  private byte headBytes;
  /** How much of the frame is still to come; while its head is read, the length as far as it has bytes of its own. */
  private long payload;
  private int mask;
  private short status;
  private byte statusBytes;
  private boolean isClosed;
  private boolean isBroken;

  /** @param end where a close frame and invalid frames are recorded */
  WebSocketFrames(TunnelEnd end, TunnelEnd.Side from) {
    this.end = end;
    this.from = from;
  }

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
        for (int i = 0; isClose() && i < n && statusBytes < STATUS_BYTES; i++) {
          status(bytes.get(bytes.position() + i));
        }
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

  private boolean isClose() {
    return (first & 0xf) == OPCODE_CLOSE;
  }

  private void status(byte next) {
    status = (short) (status << 8 | (next ^ mask >> 24 - 8 * statusBytes) & 0xff);
    statusBytes++;
    if (statusBytes == STATUS_BYTES) {
      end.closedBy(from, status & 0xffff);
    }
  }

  private void head(byte next) {
    if (headBytes == 0) {
      first = next;
      mask = 0;
    } else if (headBytes == 1) {
      second = next;
    } else if (headBytes < 2 + lengthBytes()) {
      payload = payload << 8 | next & 0xff;
    } else {
      mask = mask << 8 | next & 0xff;
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
    check();
    if (payload < 0) {
      isBroken = true;
      payload = 0;
    }
    if (isClose() && payload < STATUS_BYTES) {
      end.closedBy(from, TunnelEnd.NO_STATUS);
    }
    isClosed |= isClose();
    headBytes = 0;
  }

  /** Names what no frame may be, whatever extension is used; it is passed on all the same. */
  private void check() {
    int opcode = first & 0xf;
    boolean isControl = opcode >= CONTROL;
    if (payload < 0) {
      end.invalid(from, "its length has 64 bits, right are 63 at most");
    } else if (second < 0 != (from == TunnelEnd.Side.CLIENT)) {
      end.invalid(from, second < 0 ? "it is masked, which only those of clients are" : "it is not masked");
    } else if (opcode > LARGEST_OPCODE || opcode > 2 && !isControl) {
      end.invalid(from, "its opcode " + opcode + " is reserved");
    } else if (isControl && (first >= 0 || lengthBytes() > 0)) {
      end.invalid(from, first >= 0 ? "a control frame is fragmented" : "a control frame is longer than 125 bytes");
    } else if (isClose() && payload == 1) {
      end.invalid(from, "its close status has one byte, right are two");
    }
  }

  @Override
  public void end(boolean here) {
    end.endedBy(here ? TunnelEnd.Side.PORTCULLIS : from);
  }

  /** Returns whether more frames may follow; none follows a close frame. */
  @Override
  public boolean isOpen() {
    return !isBroken && !isClosed && isBetween();
  }

  /**
   * Returns a frame that closes the connection.
   *
   * @param status one of RFC 6455, 7.4
   * @param masked as clients have to send it (RFC 6455, 5.3)
   */
  static byte[] close(int status, String reason, boolean masked) {
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(text.length, LONGEST_REASON);
    byte[] content = new byte[2 + length];
    content[0] = (byte) (status >> 8);
    content[1] = (byte) status;
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
