package portcullis.observe.telemetry;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing buffer of log lines. For one thread. */
public final class LineBuffer {
  /** The most digits of an int. */
  private static final int MOST_DIGITS = 10;

  private byte[] bytes;
  private int length;

  /** @param expected how many bytes it holds without growing */
  public LineBuffer(int expected) {
    bytes = new byte[expected];
  }

  /** Returns how many bytes it has. */
  public int length() {
    return length;
  }

  /** Appends a string of ASCII characters. */
  @SuppressWarnings("deprecation") // the only way to get the bytes without another array; correct for ASCII
  public LineBuffer ascii(String text) {
    int more = text.length();
    reserve(more);
    text.getBytes(0, more, bytes, length);
    length += more;
    return this;
  }

  /** Appends an ASCII character. */
  public LineBuffer ascii(char c) {
    reserve(1);
    bytes[length++] = (byte) c;
    return this;
  }

  /** Appends bytes, a string of ASCII characters, and a quotation mark. */
  @SuppressWarnings("deprecation") // as above
  public LineBuffer quoted(byte[] before, String text) {
    int more = text.length();
    reserve(before.length + more + 1);
    System.arraycopy(before, 0, bytes, length, before.length);
    int at = length + before.length;
    text.getBytes(0, more, bytes, at);
    bytes[at + more] = '"';
    length = at + more + 1;
    return this;
  }

  /** Appends any string in UTF-8. */
  public LineBuffer text(CharSequence text) {
    byte[] more = text.toString().getBytes(StandardCharsets.UTF_8);
    append(more, more.length);
    return this;
  }

  /** Appends a decimal number. */
  public LineBuffer number(long value) {
    if (value < 0 || value > Integer.MAX_VALUE) {
      return ascii(Long.toString(value));
    }
    reserve(MOST_DIGITS);
    int digits = 1;
    for (int power = 10; digits < MOST_DIGITS && value >= power; power *= 10) {
      digits++;
    }
    int rest = (int) value;
    int at = length + digits;
    for (; rest >= 100; rest /= 100) {
      at -= 2;
      pair(rest % 100, at);
    }
    if (rest >= 10) {
      pair(rest, at - 2);
    } else {
      bytes[at - 1] = (byte) ('0' + rest);
    }
    length += digits;
    return this;
  }

  /** Appends a number with three decimals. @param number of thousandths */
  public LineBuffer thousandths(long number) {
    number(number / 1_000);
    reserve(4);
    bytes[length] = '.';
    threeDigits((int) (number % 1_000), length + 1);
    length += 4;
    return this;
  }

  /** Appends the decimals of a second, as many of 3, 6 and 9 as it has. @param nanos 0 to 999,999,999 */
  public LineBuffer fraction(int nanos) {
    reserve(10);
    bytes[length] = '.';
    threeDigits(nanos / 1_000_000, length + 1);
    length += 4;
    if (nanos % 1_000_000 != 0) {
      threeDigits(nanos / 1_000 % 1_000, length);
      length += 3;
    }
    if (nanos % 1_000 != 0) {
      threeDigits(nanos % 1_000, length);
      length += 3;
    }
    return this;
  }

  /** Overwrites three digits at a position. @param number 0 to 999 */
  LineBuffer threeDigits(int number, int at) {
    bytes[at] = (byte) ('0' + number / 100);
    pair(number % 100, at + 1);
    return this;
  }

  private void pair(int number, int at) {
    bytes[at] = (byte) ('0' + number / 10);
    bytes[at + 1] = (byte) ('0' + number % 10);
  }

  /** Appends the contents of another buffer. */
  LineBuffer all(LineBuffer other) {
    append(other.bytes, other.length);
    return this;
  }

  /** Appends the bytes between two positions of this buffer again. */
  void repeat(int from, int to) {
    reserve(to - from);
    System.arraycopy(bytes, from, bytes, length, to - from);
    length += to - from;
  }

  /** Appends bytes that are the UTF-8 of something. */
  public LineBuffer bytes(byte[] more) {
    append(more, more.length);
    return this;
  }

  /** Returns a copy of the bytes. */
  public byte[] copy() {
    return Arrays.copyOf(bytes, length);
  }

  private void append(byte[] more, int count) {
    reserve(count);
    System.arraycopy(more, 0, bytes, length, count);
    length += count;
  }

  /** Copies the bytes from a position on. */
  void copy(int from, ByteBuffer to, int at) {
    to.put(at, bytes, from, length - from);
  }

  private void reserve(int more) {
    if (more > bytes.length - length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }
  }

  /** Returns a copy without the bytes between two positions, and without room for more. */
  LineBuffer without(int from, int to) {
    LineBuffer out = new LineBuffer(length - (to - from));
    out.append(bytes, from);
    System.arraycopy(bytes, to, out.bytes, from, length - to);
    out.length = out.bytes.length;
    return out;
  }

  /** Returns how many bytes it holds without growing. */
  int capacity() {
    return bytes.length;
  }

  LineBuffer clear() {
    length = 0;
    return this;
  }

  /** Returns how many lines were written completely. */
  int writeTo(LogOutput out) {
    return out.write(ByteBuffer.wrap(bytes), length, 1);
  }
}
