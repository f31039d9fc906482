package portcullis.http.message;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Percent-encoding (RFC 3986, 2.1): {@code pct-encoded = "%" HEXDIG HEXDIG}. Strings are of bytes, as characters 0 to
 * 255.
 */
public final class Escapes {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final boolean[] UNRESERVED = set("-._~");
  private static final boolean[] PATH = set("-._~!$&'()*+,;=:@");

  private Escapes() {}

  private static boolean[] set(String marks) {
    boolean[] out = new boolean[256];
    (marks + "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz").chars().forEach(c -> out[c] = true);
    return out;
  }

  static boolean isUnreserved(int octet) {
    return UNRESERVED[octet];
  }

  /**
   * Returns whether a character and its escape are equivalent in a path (RFC 3986, 3.3 and 6.2.2): all that may stand
   * in a segment except the semicolon, which separates parameters only if it is not escaped.
   */
  static boolean isSameEscaped(int octet) {
    return PATH[octet] && octet != ';';
  }

  /** Returns whether it may stand in a path segment as it is: {@code pchar} without escapes. */
  static boolean isPathCharacter(char c) {
    return c < 256 && PATH[c];
  }

  /** Returns whether an escape begins at that index. */
  public static boolean isEscape(String text, int at) {
    return text.charAt(at) == '%' && at + 2 < text.length() && HexFormat.isHexDigit(text.charAt(at + 1))
        && HexFormat.isHexDigit(text.charAt(at + 2));
  }

  static int octet(String text, int at) {
    return HexFormat.fromHexDigits(text, at + 1, at + 3);
  }

  static void escape(int octet, StringBuilder out) {
    out.append('%');
    HEX.toHexDigits(out, (byte) octet);
  }

  /** Decodes every escape and keeps everything else. */
  static String bytes(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      if (isEscape(text, i)) {
        out.append((char) octet(text, i));
        i += 2;
      } else {
        out.append(text.charAt(i));
      }
    }
    return out.toString();
  }

  /** Decodes every escape but {@code kept}; bytes that are not UTF-8 become U+FFFD. */
  public static String text(String escaped, String kept) {
    if (escaped.indexOf('%') < 0 && Grammar.isAscii(escaped)) {
      return escaped;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(escaped.length());
    for (int i = 0; i < escaped.length(); i++) {
      if (isEscape(escaped, i) && !(!kept.isEmpty() && escaped.startsWith(kept, i))) {
        out.write(octet(escaped, i));
        i += 2;
      } else {
        out.write(escaped.charAt(i));
      }
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  /** Decodes UTF-8; invalid bytes become U+FFFD. */
  static String utf8(String bytes) {
    return Grammar.isAscii(bytes) ? bytes
        : new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  /** Returns a string as it may stand in a path: escapes in it stay, what a path may not hold is escaped. */
  static String path(String text) {
    String bytes = Grammar.wire(text);
    StringBuilder out = new StringBuilder(bytes.length());
    for (int i = 0; i < bytes.length(); i++) {
      char c = bytes.charAt(i);
      if (c == '/' || isPathCharacter(c) || isEscape(bytes, i)) {
        out.append(c);
      } else {
        escape(c, out);
      }
    }
    return out.toString();
  }

  /** Escapes a name or value of a form: blanks become plus signs, all but unreserved characters are escaped. */
  static String form(String bytes) {
    StringBuilder out = new StringBuilder(bytes.length());
    for (int i = 0; i < bytes.length(); i++) {
      char c = bytes.charAt(i);
      if (isUnreserved(c)) {
        out.append(c);
      } else if (c == ' ') {
        out.append('+');
      } else {
        escape(c, out);
      }
    }
    return out.toString();
  }
}
