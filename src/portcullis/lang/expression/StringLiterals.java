package portcullis.lang.expression;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads string and bytes literals: {@code 'a\n'}, {@code r"\d"}, {@code '''…'''}, {@code b"\xff"}. */
final class StringLiterals {
  private static final String SIMPLE = "abfnrtv\\'\"`?";
  private static final String MEANT = "\u0007\b\f\n\r\t\u000b\\'\"`?";

  private final String body;
  private final boolean bytes;
  private final StringBuilder text = new StringBuilder();
  private final ByteArrayOutputStream raw = new ByteArrayOutputStream();
  private int at;

  private StringLiterals(String body, boolean bytes) {
    this.body = body;
    this.bytes = bytes;
  }

  /** Returns the value of a string literal, given with its quotes; empty for a malformed escape. */
  static Optional<String> text(String constant) {
    String plain = lines(constant);
    if (isRaw(plain)) {
      return Optional.of(unquoted(plain.substring(1)));
    }
    StringLiterals escapes = new StringLiterals(unquoted(plain), false);
    return escapes.readAll() ? Optional.of(escapes.text.toString()) : Optional.empty();
  }

  /**
   * Returns the value of a bytes literal, given with its quotes but without the {@code b}; empty for a malformed
   * escape.
   */
  static Optional<byte[]> bytes(String constant) {
    String plain = lines(constant);
    if (isRaw(plain)) {
      return Optional.of(unquoted(plain.substring(1)).getBytes(StandardCharsets.UTF_8));
    }
    StringLiterals escapes = new StringLiterals(unquoted(plain), true);
    return escapes.readAll() ? Optional.of(escapes.raw.toByteArray()) : Optional.empty();
  }

  private static String lines(String constant) {
    return constant.replace("\r\n", "\n").replace('\r', '\n');
  }

  private static boolean isRaw(String constant) {
    return (constant.charAt(0) | 32) == 'r';
  }

  private static String unquoted(String constant) {
    boolean isLong = constant.length() >= 6 && (constant.startsWith("'''") || constant.startsWith("\"\"\""));
    int mark = isLong ? 3 : 1;
    return constant.substring(mark, constant.length() - mark);
  }

  private boolean readAll() {
    while (at < body.length()) {
      int c = body.codePointAt(at);
      at += Character.charCount(c);
      if (c != '\\') {
        take(c);
      } else if (at == body.length() || !escape(body.charAt(at++))) {
        return false;
      }
    }
    return true;
  }

  private boolean escape(char c) {
    int simple = SIMPLE.indexOf(c);
    if (simple >= 0) {
      take(MEANT.charAt(simple));
      return true;
    }
    return switch (c) {
      case 'x', 'X' -> number(2, 16);
      case 'u' -> !bytes && number(4, 16);
      case 'U' -> !bytes && number(8, 16);
      case '0', '1', '2', '3' -> {
        at--;
        yield number(3, 8);
      }
      default -> false;
    };
  }

  private boolean number(int digits, int radix) {
    if (at + digits > body.length()) {
      return false;
    }
    long code = 0;
    for (int i = 0; i < digits; i++) {
      int digit = Character.digit(body.charAt(at++), radix);
      if (digit < 0) {
        return false;
      }
      code = code * radix + digit;
    }
    if (bytes) {
      raw.write((int) code);
      return true;
    }
    if (code > Character.MAX_CODE_POINT || code >= Character.MIN_SURROGATE && code <= Character.MAX_SURROGATE) {
      return false;
    }
    text.appendCodePoint((int) code);
    return true;
  }

  private void take(int c) {
    if (bytes) {
      raw.writeBytes(Character.toString(c).getBytes(StandardCharsets.UTF_8));
    } else {
      text.appendCodePoint(c);
    }
  }
}
