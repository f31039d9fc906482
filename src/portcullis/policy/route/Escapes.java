package portcullis.policy.route;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Percent-encoding of path segments (RFC 3986, 2.1): {@code pct-encoded = "%" HEXDIG HEXDIG}. */
final class Escapes {
  private static final String UNRESERVED_MARKS = "-._~";
  private static final String OTHER_PCHARS = "!$&'()*+,;=:@";
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private Escapes() {}

  /**
   * One spelling for all that mean the same segment (RFC 3986, 3.3 and 6.2.2): escapes of what may stand in a segment
   * decoded, but for the semicolon, others in upper case, and what may not stand in a path escaped. A `%` that begins
   * no escape becomes `%25`.
   */
  static String normalized(String segment) {
    StringBuilder out = new StringBuilder(segment.length());
    for (int i = 0; i < segment.length();) {
      int c = segment.codePointAt(i);
      if (isEscape(segment, i)) {
        int octet = octet(segment, i);
        out.append(isPlain(octet) && octet != ';' ? String.valueOf((char) octet) : "%" + HEX.toHexDigits((byte) octet));
        i += 3;
      } else {
        out.append(isPlain(c) ? Character.toString(c) : escaped(c));
        i += Character.charCount(c);
      }
    }
    return out.toString();
  }

  /** The same of several segments. */
  static String normalizedPath(String path) {
    return Stream.of(path.split("/", -1)).map(Escapes::normalized).collect(Collectors.joining("/"));
  }

  /** Escapes in the one spelling, characters as they are: for values that are compared with parts of a path. */
  static String withNormalizedEscapes(String value) {
    StringBuilder out = new StringBuilder(value.length());
    for (int i = 0; i < value.length(); i++) {
      if (isEscape(value, i)) {
        out.append(normalized(value.substring(i, i + 3)));
        i += 2;
      } else {
        out.append(value.charAt(i));
      }
    }
    return out.toString();
  }

  /** Every escape but {@code kept} decoded once; octets that are no UTF-8 become U+FFFD. */
  static String decoded(String text, String kept) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length();) {
      if (isEscape(text, i) && (kept.isEmpty() || !text.startsWith(kept, i))) {
        out.write(octet(text, i));
        i += 3;
      } else {
        int c = text.codePointAt(i);
        out.writeBytes(Character.toString(c).getBytes(StandardCharsets.UTF_8));
        i += Character.charCount(c);
      }
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  static boolean isEscape(String text, int at) {
    return text.charAt(at) == '%' && at + 2 < text.length() && HexFormat.isHexDigit(text.charAt(at + 1))
        && HexFormat.isHexDigit(text.charAt(at + 2));
  }

  private static int octet(String text, int at) {
    return HexFormat.fromHexDigits(text, at + 1, at + 3);
  }

  private static String escaped(int codePoint) {
    StringBuilder out = new StringBuilder();
    for (byte octet : Character.toString(codePoint).getBytes(StandardCharsets.UTF_8)) {
      out.append('%').append(HEX.toHexDigits(octet));
    }
    return out.toString();
  }

  private static boolean isPlain(int c) {
    return isUnreserved(c) || OTHER_PCHARS.indexOf(c) >= 0;
  }

  private static boolean isUnreserved(int c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || UNRESERVED_MARKS.indexOf(c) >= 0;
  }
}
