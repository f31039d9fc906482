package portcullis.lang.template;

import java.util.Base64;

/** Decodes padded Base64 (RFC 4648, 4) as strictly as Go does; line breaks are ignored. */
final class Base64Text {
  private final byte[] text;
  private int at;

  private Base64Text(byte[] text) {
    this.text = text;
  }

  /** Makes a string of the decoded bytes. */
  interface Reading {
    String of(byte[] bytes);
  }

  static String decoded(byte[] text, Reading reading) {
    int error = faultAt(text);
    return error >= 0 ? "illegal base64 data at input byte " + error : reading.of(Base64.getMimeDecoder().decode(text));
  }

  /** Returns the index of the first invalid byte, or a negative number. */
  static int faultAt(byte[] text) {
    return new Base64Text(text).error();
  }

  private int error() {
    int inGroup = 0;
    while (next() >= 0) {
      int c = text[at - 1];
      if (c == '=') {
        return faultOfPadding(inGroup);
      }
      if (!isDigit(c)) {
        return at - 1;
      }
      inGroup = (inGroup + 1) % 4;
    }
    return inGroup == 0 ? -1 : text.length - inGroup;
  }

  /** Returns the next byte that is not a line break, or a negative number at the end. */
  private int next() {
    while (at < text.length && (text[at] == '\r' || text[at] == '\n')) {
      at++;
    }
    return at < text.length ? text[at++] & 0xFF : -1;
  }

  private int faultOfPadding(int inGroup) {
    if (inGroup < 2) {
      return at - 1;
    }
    if (inGroup == 2) {
      int second = next();
      if (second < 0) {
        return text.length;
      }
      if (second != '=') {
        return at - 2;
      }
    }
    return next() < 0 ? -1 : at - 1;
  }

  private static boolean isDigit(int c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '/';
  }
}
