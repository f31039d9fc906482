package portcullis.lang.template;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Parses Go's text and character constants. */
final class Literals {
  private static final String ESCAPES = "abfnrtv\\";
  private static final String ESCAPED = "\u0007\b\f\n\r\t\u000b\\";

  private final Token token;
  private final String text;
  private final char quote;
  private int at = 1;

  /** Whether the last escape denotes a byte rather than a character. */
  private boolean isByte;

  private Literals(Token token) {
    this.token = token;
    this.text = token.text();
    this.quote = text.charAt(0);
  }

  /** Returns the value of a string or raw string. */
  static String text(Token token) throws TemplateSyntaxException {
    String written = token.text();
    if (token.kind() == Token.Kind.RAW_STRING) {
      return written.substring(1, written.length() - 1).replace("\r", "");
    }
    return written.indexOf('\\') < 0 ? written.substring(1, written.length() - 1) : new Literals(token).unquoted();
  }

  /** Returns the code point of a character constant. */
  static int character(Token token) throws TemplateSyntaxException {
    Literals literal = new Literals(token);
    if (token.length() < 3) {
      throw literal.error();
    }
    int character = literal.next();
    if (literal.at != token.text().length() - 1) {
      throw new TemplateSyntaxException(Span.of(token), "malformed character constant " + token.shown());
    }
    return character;
  }

  private String unquoted() throws TemplateSyntaxException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    while (at < text.length() - 1) {
      int character = next();
      if (isByte) {
        out.write(character);
      } else {
        out.writeBytes(Character.toString(character).getBytes(StandardCharsets.UTF_8));
      }
    }
    return Bytes.text(out.toByteArray());
  }

  private int next() throws TemplateSyntaxException {
    isByte = false;
    int character = text.codePointAt(at);
    at += Character.charCount(character);
    return character == '\\' ? escape() : character;
  }

  private int escape() throws TemplateSyntaxException {
    char c = text.charAt(at++);
    if (ESCAPES.indexOf(c) >= 0) {
      return ESCAPED.charAt(ESCAPES.indexOf(c));
    }
    if (c == quote) {
      return c;
    }
    return switch (c) {
      case 'x' -> byteOf(2, 16);
      case 'u' -> character(4);
      case 'U' -> character(8);
      case '0', '1', '2', '3', '4', '5', '6', '7' -> {
        at--;
        yield byteOf(3, 8);
      }
      default -> throw error();
    };
  }

  private int byteOf(int digits, int radix) throws TemplateSyntaxException {
    long value = number(digits, radix);
    if (value > 255) {
      throw error();
    }
    isByte = true;
    return (int) value;
  }

  private int character(int digits) throws TemplateSyntaxException {
    long value = number(digits, 16);
    if (value > Character.MAX_CODE_POINT || value >= Character.MIN_SURROGATE && value <= Character.MAX_SURROGATE) {
      throw error();
    }
    return (int) value;
  }

  private long number(int digits, int radix) throws TemplateSyntaxException {
    int end = at + digits;
    if (end > text.length() - 1
        || text.substring(at, end).chars().anyMatch(c -> c > 127 || Character.digit(c, radix) < 0)) {
      throw error();
    }
    long value = Long.parseLong(text, at, end, radix);
    at = end;
    return value;
  }

  private TemplateSyntaxException error() {
    return new TemplateSyntaxException(Span.of(token), "invalid constant: " + token.shown());
  }
}
