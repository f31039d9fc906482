package portcullis.http.grpc;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes the fields of a protocol-buffer message in the order of the calls. For one thread. */
public final class MessageWriter {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** Writes a string, even an empty one. */
  public MessageWriter string(int field, String string) {
    return bytes(field, string.getBytes(StandardCharsets.UTF_8));
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

  /** Writes the elements of a repeated integer field in packed form. */
  public MessageWriter packed(int field, long... numbers) {
    MessageWriter inner = new MessageWriter();
    for (long number : numbers) {
      inner.varint(number);
    }
    return message(field, inner);
  }

  /** Writes an integer, an enumeration value or a boolean, even if it is zero. */
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
