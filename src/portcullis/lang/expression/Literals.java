package portcullis.lang.expression;

import java.util.Optional;

/** Reads the values of literals. */
final class Literals {
  private Literals() {}

  /** @param sign {@code -} before a number, else empty */
  static Val read(Token token, String sign) throws SyntaxError {
    String text = token.text();
    try {
      return switch (token.kind()) {
        case INT -> new Val.Int(Long.parseLong(sign + digits(text), radix(text)));
        case UINT -> new Val.Uint(Long.parseUnsignedLong(digits(text.substring(0, text.length() - 1)), radix(text)));
        case DOUBLE -> real(sign + text);
        case TEXT -> escaped(token, StringLiterals.text(text).map(Val::of));
        case BYTES -> escaped(token, StringLiterals.bytes(text.substring(1)).map(Val.Bytes::new));
        case SYMBOL -> text.equals("null") ? Val.NULL : Val.of(text.equals("true"));
        case NAME, QUOTED_NAME, END -> throw new SyntaxError(token.place(), "a constant is expected", "");
      };
    } catch (NumberFormatException _) {
      throw new SyntaxError(token.place(), "`" + sign + DisplayNames.cut(text) + "` does not fit "
          + (token.kind() == Token.Kind.DOUBLE ? "a double" : "64 bits"), "");
    }
  }

  private static int radix(String number) {
    return number.startsWith("0x") ? 16 : 10;
  }

  private static String digits(String number) {
    return number.startsWith("0x") ? number.substring(2) : number;
  }

  private static Val real(String text) {
    double value = Double.parseDouble(text);
    if (Double.isInfinite(value)) {
      throw new NumberFormatException();
    }
    return new Val.Real(value);
  }

  private static Val escaped(Token token, Optional<? extends Val> value) throws SyntaxError {
    if (value.isEmpty()) {
      throw new SyntaxError(token.place(), "an escape in this text is malformed", "write `\\\\` for a backslash");
    }
    return value.get();
  }
}
