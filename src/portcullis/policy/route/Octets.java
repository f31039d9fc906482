package portcullis.policy.route;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Texts of one octet for each character, of which eight are looked at at once. */
final class Octets {
  /** The number of octets of a word. */
  static final int WORD = Long.BYTES;

  private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long SPREAD = 0xFF51_AFD7_ED55_8CCDL; // of MurmurHash3's last step

  private Octets() {}

  /** Characters that are no octet become `?`, which no path has. */
  static byte[] of(String text) {
    byte[] out = text.getBytes(StandardCharsets.ISO_8859_1);
    return out.length == text.length() ? out : oneForEach(text);
  }

  /** Returns a `?` for each character, also of surrogate pairs. */
  private static byte[] oneForEach(String text) {
    byte[] out = new byte[text.length()];
    for (int i = 0; i < out.length; i++) {
      out[i] = (byte) (text.charAt(i) > 0xFF ? '?' : text.charAt(i));
    }
    return out;
  }

  /** Returns up to eight octets from an offset on as a word, with zeros from {@code end} on. */
  static long word(byte[] text, int from, int end) {
    int count = end - from;
    if (count <= 0) {
      return 0;
    }
    return count >= WORD ? (long) WORDS.get(text, from) : some(text, from, end) & (1L << Byte.SIZE * count) - 1;
  }

  /** Returns a word whose octets from {@code end} on may be anything. */
  private static long some(byte[] text, int from, int end) {
    if (from + WORD <= text.length) {
      return (long) WORDS.get(text, from);
    }
    if (text.length >= WORD) {
      return (long) WORDS.get(text, text.length - WORD) >>> Byte.SIZE * (from + WORD - text.length);
    }
    long word = 0;
    for (int i = end - 1; i >= from; i--) {
      word = word << Byte.SIZE | text[i] & 0xFF;
    }
    return word;
  }

  static long hash(byte[] text) {
    return hash(text, 0, text.length);
  }

  static long hash(byte[] text, int from, int end) {
    long hash = end - from;
    for (int i = from; i < end; i += WORD) {
      hash = (hash ^ word(text, i, end)) * SPREAD;
      hash ^= hash >>> 32;
    }
    return hash;
  }
}
