package portcullis.observe.profiling;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes a message of protocol buffers, as far as profiles need it. */
final class ProtoWriter {
  private static final int VARINT = 0;
  private static final int LENGTH = 2;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** Zero is left out, as it is what a reader takes for nothing. */
  ProtoWriter number(int field, long value) {
    if (value != 0) {
      varint((long) field << 3 | VARINT);
      varint(value);
    }
    return this;
  }

  ProtoWriter text(int field, String value) {
    return bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  ProtoWriter message(int field, ProtoWriter value) {
    return bytes(field, value.out.toByteArray());
  }

  ProtoWriter packed(int field, List<Long> values) {
    ProtoWriter inner = new ProtoWriter();
    values.forEach(inner::varint);
    return bytes(field, inner.out.toByteArray());
  }

  private ProtoWriter bytes(int field, byte[] value) {
    varint((long) field << 3 | LENGTH);
    varint(value.length);
    out.writeBytes(value);
    return this;
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      out.write((int) (rest & 0x7f | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  byte[] toByteArray() {
    return out.toByteArray();
  }
}
