package portcullis.lang.template;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Handles strings as bytes, as Go does. A byte that is not part of a valid UTF-8 sequence is kept as an unpaired low
 * surrogate, U+DC80 to U+DCFF, until the result is written.
 */
final class Bytes {
  private static final char REPLACEMENT = '\ufffd';
  private static final int KEPT = 0xDC00;

  private Bytes() {}

  /** Returns the number of bytes. */
  static int length(String text) {
    int length = text.length();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0x80 && !keptAt(text, i)) {
        length += c < 0x800 || Character.isSurrogate(c) && paired(text, i) ? 1 : 2;
      }
    }
    return length;
  }

  /** Returns whether there is a byte that is not part of a character. */
  static boolean keptAt(String text, int index) {
    char c = text.charAt(index);
    return c >= KEPT + 0x80 && c <= KEPT + 0xFF && !paired(text, index);
  }

  private static boolean paired(String text, int index) {
    return Character.isLowSurrogate(text.charAt(index))
        ? index > 0 && Character.isHighSurrogate(text.charAt(index - 1))
        : index + 1 < text.length() && Character.isLowSurrogate(text.charAt(index + 1));
  }

  /** Returns whether the string has neither such bytes nor characters beyond U+FFFF. */
  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether any byte is not part of a character. */
  static boolean hasKept(String text) {
    return !isPlain(text) && IntStream.range(0, text.length()).anyMatch(i -> keptAt(text, i));
  }

  static byte[] of(String text) {
    if (isPlain(text)) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    byte[] out = new byte[length(text)];
    int at = 0;
    for (int i = 0; i < text.length(); i++) {
      if (keptAt(text, i)) {
        out[at++] = (byte) text.charAt(i);
      } else {
        int character = text.codePointAt(i);
        at = put(character >= 0xD800 && character <= 0xDFFF ? REPLACEMENT : character, out, at);
        i += Character.charCount(character) - 1;
      }
    }
    return out;
  }

  private static int put(int character, byte[] out, int from) {
    byte[] encoded = Character.toString(character).getBytes(StandardCharsets.UTF_8);
    System.arraycopy(encoded, 0, out, from, encoded.length);
    return from + encoded.length;
  }

  static String text(byte[] bytes) {
    return text(bytes, 0, bytes.length);
  }

  /** Returns the string of the bytes from one index to before the other. */
  static String text(byte[] bytes, int from, int to) {
    StringBuilder out = new StringBuilder(to - from);
    for (int i = from; i < to;) {
      int size = sizeAt(bytes, i, to);
      if (size == 0) {
        out.append((char) (KEPT | bytes[i++] & 0xFF));
      } else {
        out.append(size == 1 ? Character.toString(bytes[i]) : new String(bytes, i, size, StandardCharsets.UTF_8));
        i += size;
      }
    }
    return out.toString();
  }

  /** Returns the length of the UTF-8 sequence that begins here, 0 for an invalid one. */
  private static int sizeAt(byte[] bytes, int at, int to) {
    int first = bytes[at] & 0xFF;
    int size = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    if (size < 2) {
      return size;
    }
    if (at + size > to || !secondFits(first, at + 1 < to ? bytes[at + 1] & 0xFF : 0)) {
      return 0;
    }
    for (int i = at + 2; i < at + size; i++) {
      if ((bytes[i] & 0xC0) != 0x80) {
        return 0;
      }
    }
    return size;
  }

  /** Rejects overlong sequences, surrogates and characters beyond U+10FFFF (RFC 3629, 4). */
  private static boolean secondFits(int first, int second) {
    int low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    int high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    return second >= low && second <= high;
  }

  /** Returns the part of the string between two byte indexes, both within it. */
  static String cut(String text, int from, int to) {
    boolean ascii = text.length() == length(text);
    return ascii && to <= text.length() ? text.substring(from, to) : text(Arrays.copyOfRange(of(text), from, to));
  }

  /** Returns the string as a result: adjacent bytes that form a character become it, others U+FFFD. */
  static String clean(String text) {
    if (isPlain(text)) {
      return text;
    }
    String joined = text(of(text));
    StringBuilder out = new StringBuilder(joined);
    for (int i = 0; i < joined.length(); i++) {
      if (keptAt(joined, i)) {
        out.setCharAt(i, REPLACEMENT);
      }
    }
    return out.toString();
  }
}
