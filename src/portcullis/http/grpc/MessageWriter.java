package portcullis.http.grpc;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes a message of protocol buffers, field after field as told; for one thread. */
public final class MessageWriter {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** A text, empty ones too. */
  public MessageWriter text(int field, String text) {
    return bytes(field, text.getBytes(StandardCharsets.UTF_8));
  }

  public MessageWriter bytes(int field, byte[] bytes) {
    varint((long) field << 3 | 2);
    varint(bytes.length);
    out.writeBytes(bytes);
    return this;
  }

  public MessageWriter message(int field, MessageWriter message) {
    return bytes(field, message.bytes());
  }

  /** An integer, an enumerated value or a flag. */
  public MessageWriter number(int field, long number) {
    varint((long) field << 3);
    varint(number);
    return this;
  }

  private void varint(long number) {
    long rest = number;
    while ((rest & ~0x7fL) != 0) {
      out.write((int) (rest & 0x7f | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  public byte[] bytes() {
    return out.toByteArray();
  }
}
