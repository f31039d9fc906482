package portcullis.http.wire;

/** Classes of octets that the grammar of HTTP names (RFC 9110, 5.5 and 5.6; RFC 5234, B.1). */
final class Octets {
  private static final byte TOKEN = 1;
  private static final byte VALUE = 2;
  private static final byte TARGET = 4;
  private static final byte[] CLASSES = classes();

  private Octets() {}

  private static byte[] classes() {
    byte[] out = new byte[256];
    for (int c = 0x21; c < 256; c++) {
      boolean letterOrDigit = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
      boolean token = letterOrDigit || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
      boolean target = c < 0x7f && c != '#';
      out[c] = (byte) ((token ? TOKEN : 0) | (c == 0x7f ? 0 : VALUE) | (target ? TARGET : 0));
    }
    out[' '] = VALUE;
    out['\t'] = VALUE;
    return out;
  }

  /**
   * {@code tchar = "!" / "#" / "$" / "%" / "&" / "'" / "*" / "+" / "-" / "." / "^" / "_" / "`" / "|" / "~" / DIGIT /
   * ALPHA}
   */
  static boolean isToken(int octet) {
    return (CLASSES[octet & 0xff] & TOKEN) != 0;
  }

  /** {@code SP / HTAB / VCHAR / obs-text}: what a field value is made of. */
  static boolean isValue(int octet) {
    return (CLASSES[octet & 0xff] & VALUE) != 0;
  }

  /** {@code VCHAR} but for {@code #}: a fragment is no part of a request-target (RFC 9112, 3.2). */
  static boolean isTarget(int octet) {
    return (CLASSES[octet & 0xff] & TARGET) != 0;
  }

  static boolean isDigit(int octet) {
    return octet >= '0' && octet <= '9';
  }
}
