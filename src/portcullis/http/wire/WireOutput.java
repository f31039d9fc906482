package portcullis.http.wire;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import portcullis.http.message.DirectOutput;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;

/**
 * The output of one connection, through one buffer that is used again and again. Nothing is sent before {@link #flush},
 * except for bytes of a body that find the buffer full. For one thread.
 */
public final class WireOutput {
  private static final int FIRST_SIZE = 1024;
  private static final int FULL_SIZE = ByteArrayPool.SIZE;
  private static final byte[] NONE = {};

  private final OutputStream out;
  private ByteArrayPool spares;
  /** The small buffer, used again once a large body has been written. */
  private byte[] small = new byte[FIRST_SIZE];
  private byte[] buffer = small;
  private int size;

  public WireOutput(OutputStream out) {
    this(out, new ByteArrayPool());
  }

  /** @param spares to which room for large bodies goes back with {@link #shrink} */
  public WireOutput(OutputStream out, ByteArrayPool spares) {
    this.out = out;
    this.spares = spares;
  }

  public void write(int octet) {
    reserve(1);
    buffer[size++] = (byte) octet;
  }

  /** Writes bytes of a body; more than fit the buffer go out at once, without being copied. */
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (length > FULL_SIZE - size) {
      flush();
      if (length >= FULL_SIZE) {
        out.write(bytes, offset, length);
        return;
      }
    }
    reserve(length);
    System.arraycopy(bytes, offset, buffer, size, length);
    size += length;
  }

  /** Returns whether {@link #write(ByteBuffer, byte[], Runnable)} is possible. */
  boolean isDirect() {
    return out instanceof DirectOutput;
  }

  /**
   * Sends everything that waits, then bytes of a body straight from a buffer, and a few more behind them.
   *
   * @param progress see {@link DirectOutput#write}
   */
  void write(ByteBuffer bytes, byte[] behind, Runnable progress) throws IOException {
    if (!(out instanceof DirectOutput direct)) {
      throw new IllegalStateException("an output without a channel");
    }
    int n = size;
    size = 0;
    direct.write(n + behind.length == 0 ? new ByteBuffer[] {bytes}
        : new ByteBuffer[] {ByteBuffer.wrap(buffer, 0, n), bytes, ByteBuffer.wrap(behind)}, progress);
  }

  public void write(byte[] bytes) throws IOException {
    write(bytes, 0, bytes.length);
  }

  /**
   * Writes text whose characters are octets that have been checked.
   *
   * @param text a character a byte
   */
  public void write(String text) {
    int length = text.length();
    reserve(length);
    byte[] to = buffer;
    int at = size;
    for (int i = 0; i < length; i++) {
      to[at + i] = (byte) text.charAt(i);
    }
    size = at + length;
  }

  /** Writes part of a head that has been made and checked beforehand. */
  public void line(byte[] made) {
    reserve(made.length);
    System.arraycopy(made, 0, buffer, size, made.length);
    size += made.length;
  }

  /** Writes a number, not below zero, in decimals. */
  public void number(long number) {
    int digits = 1;
    for (long rest = number / 10; rest > 0; rest /= 10) {
      digits++;
    }
    reserve(digits);
    long rest = number;
    for (int i = size + digits - 1; i >= size; i--, rest /= 10) {
      buffer[i] = (byte) ('0' + rest % 10);
    }
    size += digits;
  }

  /**
   * Writes {@code method SP request-target SP HTTP-version CRLF} (RFC 9112, 3); refuses what would not be read as
   * these.
   */
  public void requestLine(String method, String target) {
    if (!isAll(method, Octets::isToken) || !isAll(target, Octets::isTarget)) {
      throw new IllegalArgumentException("method or target do not fit a request line");
    }
    write(method);
    write(' ');
    write(target);
    write(" HTTP/1.1\r\n");
  }

  /**
   * Writes a line of a field section.
   *
   * @throws IllegalArgumentException where the name is no token, or the value has control characters or such as are no
   *     octet: it would be read as something else (RFC 9110, 5.5)
   */
  public void field(String name, String value) {
    if (!isAll(name, Octets::isToken)) {
      throw new IllegalArgumentException("invalid header name");
    }
    reserve(name.length() + value.length() + 4);
    write(name);
    write(": ");
    value(value);
    write("\r\n");
  }

  public void fields(Fields fields) {
    for (Field line : fields.lines()) {
      field(line.name(), line.value());
    }
  }

  private void value(String value) {
    int length = value.length();
    reserve(length);
    int at = size;
    for (int i = 0; i < length; i++) {
      int c = value.charAt(i);
      if (c > 0xff || !Octets.isValue(c)) {
        throw new IllegalArgumentException("a character in a header value that none may have");
      }
      buffer[at + i] = (byte) c;
    }
    size = at + length;
  }

  /** Refuses what {@link #field} would refuse. */
  public static void check(Field line) {
    boolean value = line.value().isEmpty() || isAll(line.value(), Octets::isValue);
    if (!value || !isAll(line.name(), Octets::isToken)) {
      throw new IllegalArgumentException("a header line that none may be");
    }
  }

  private interface OctetClass {
    boolean has(int octet);
  }

  private static boolean isAll(String text, OctetClass octets) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 0xff || !octets.has(text.charAt(i))) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  /** Returns where the next byte will lie; a head is written whole before any of it is sent. */
  public int mark() {
    return size;
  }

  /** Forgets what was written since that mark, for a head that turned out to be none while it was written. */
  public void reset(int mark) {
    size = mark;
  }

  /** Keeps the buffer for this connection only; required if several threads write to it. */
  public void keepApart() {
    spares = new ByteArrayPool();
  }

  /** Sends everything that waits. */
  public void flush() throws IOException {
    if (size > 0) {
      byte[] full = buffer;
      int n = size;
      size = 0;
      buffer = full.length > 2 * FULL_SIZE ? small : full;
      out.write(full, 0, n);
    }
  }

  /** Gives the room back that a large body took; for a connection that goes idle. */
  public void shrink() {
    if (size == 0 && buffer != small) {
      byte[] large = buffer;
      buffer = small;
      if (large.length == FULL_SIZE) {
        spares.give(large);
      }
    }
  }

  /** Gives all room back once nothing waits, as what follows is written elsewhere. It takes room again when used. */
  public void release() {
    if (size == 0) {
      shrink();
      small = NONE;
      buffer = NONE;
    }
  }

  /** Writes the length of a frame to where its first three octets lie. */
  public void patch(int mark, int length) {
    buffer[mark] = (byte) (length >> 16);
    buffer[mark + 1] = (byte) (length >> 8);
    buffer[mark + 2] = (byte) length;
  }

  public byte[] buffer() {
    return buffer;
  }

  int size() {
    return size;
  }

  void size(int bytes) {
    size = bytes;
  }

  /** Makes room for that many more bytes. */
  void reserve(int length) {
    if (size + length > buffer.length) {
      grow(size + length);
    }
  }

  private void grow(int least) {
    byte[] from = buffer;
    if (least <= 4 * FIRST_SIZE) {
      small = Arrays.copyOf(from, 4 * FIRST_SIZE);
      buffer = small;
      return;
    }
    buffer = least <= FULL_SIZE ? spares.take() : new byte[Math.max(least, 2 * FULL_SIZE)];
    System.arraycopy(from, 0, buffer, 0, size);
    if (from.length == FULL_SIZE && from != small) {
      spares.give(from);
    }
  }
}
