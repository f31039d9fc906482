package portcullis.http.h2;

import java.io.IOException;

/**
 * The Huffman code of HPACK (RFC 7541, 5.2 and appendix B). It is canonical: codes of one length follow each other in
 * the order of their symbols, the shorter lengths first, so that the lengths determine all codes.
 */
final class Huffman {
  /** The lengths of the codes of the 256 octets and the end of string, {@code a} for 5 bits to {@code z} for 30. */
  private static final String LENGTHS = "isxxxxxxxtzxxzxxxxxxxxzxxxxxxxxxbffhibdgffdgdbbbaaabbbbbbbcdkbhfibccccc"
      + "cccccccccccccccccdcdioijb"
      + "kabababbbaccbbbabcbaabccccckgjixprpprrrsrssssststtrstssssqrsrsstrqprrssqsrrtqrssqqrqsrssprrrsrrs"
      + "vvporsruvvvwwvtuoqvwwvwtqqvvxwwwptpqrqqsrruuttvsvwvvwwwwwxwwwwwvz";
  private static final int LONGEST = 30;
  private static final int END = 256;
  private static final int[] FIRST_CODE = new int[LONGEST + 2];
  private static final int[] FIRST_PLACE = new int[LONGEST + 2];
  private static final int[] SYMBOLS = new int[LENGTHS.length()];
  // for each next octet the symbol that it begins with in its upper and its length in its lower bits; 0 for a longer
  // one
  private static final int[] SHORT = new int[256];

  static {
    int place = 0;
    int code = 0;
    for (int length = 1; length <= LONGEST; length++) {
      FIRST_CODE[length] = code;
      FIRST_PLACE[length] = place;
      for (int symbol = 0; symbol < SYMBOLS.length; symbol++) {
        if (length(symbol) == length) {
          SYMBOLS[place++] = symbol;
          note(symbol, code++, length);
        }
      }
      code <<= 1;
    }
    FIRST_PLACE[LONGEST + 1] = place;
  }

  private Huffman() {}

  private static int length(int symbol) {
    return LENGTHS.charAt(symbol) - 'a' + 5;
  }

  private static void note(int symbol, int code, int length) {
    for (int rest = 0; length <= 8 && rest < 1 << 8 - length; rest++) {
      SHORT[code << 8 - length | rest] = symbol << 8 | length;
    }
  }

  /**
   * Decodes to octets.
   *
   * @param into with room for 8/5 of the bytes
   * @return how many octets
   */
  static int decode(byte[] bytes, int from, int to, byte[] into) throws IOException {
    long bits = 0;
    int have = 0;
    int out = 0;
    int at = from;
    while (true) {
      while (have <= 32 && at < to) {
        bits = bits << 8 | bytes[at++] & 0xff;
        have += 8;
      }
      int found = have >= 8 ? SHORT[(int) (bits >> have - 8) & 0xff] : 0;
      found = found != 0 ? found : search(bits, have);
      if (found == 0) {
        checkPadding(bits, have);
        return out;
      }
      if (found >> 8 == END) {
        throw Http2Exception.connection(Http2Error.COMPRESSION_ERROR, "an end of string inside a string");
      }
      into[out++] = (byte) (found >> 8);
      have -= found & 0xff;
    }
  }

  /** Returns the symbol of any length that the bits begin with, as in {@link #SHORT}; 0 where they are too few. */
  private static int search(long bits, int have) {
    for (int length = 5; length <= Math.min(have, LONGEST); length++) {
      int code = (int) (bits >> have - length) & (1 << length) - 1;
      int place = FIRST_PLACE[length] + code - FIRST_CODE[length];
      if (place < FIRST_PLACE[length + 1]) {
        return SYMBOLS[place] << 8 | length;
      }
    }
    return 0;
  }

  /** Less than an octet, of ones: the beginning of the end of string (RFC 7541, 5.2). */
  private static void checkPadding(long bits, int have) throws IOException {
    if (have > 7 || (bits & (1 << have) - 1) != (1 << have) - 1) {
      throw Http2Exception.connection(Http2Error.COMPRESSION_ERROR, "a string that is padded wrongly");
    }
  }
}
