package portcullis.lang.template;

/** Quotes strings and characters as Go's strconv.Quote does. */
final class QuotedText {
  private static final String SHORT = "abfnrtv\\";
  private static final String ESCAPED = "\u0007\b\f\n\r\t\u000b\\";

  private final StringBuilder out;
  private final char quote;
  private final boolean ascii;

  private QuotedText(char quote, boolean ascii, int expected) {
    this.out = new StringBuilder(expected);
    this.quote = quote;
    this.ascii = ascii;
  }

  static String of(String text) {
    return of(text, false);
  }

  /** @param ascii whether all other characters are escaped */
  static String of(String text, boolean ascii) {
    if (isPlain(text)) {
      return "\"" + text + "\"";
    }
    QuotedText quoted = new QuotedText('"', ascii, text.length() + 8);
    quoted.out.append('"');
    for (int i = 0; i < text.length();) {
      int character = text.codePointAt(i);
      if (Bytes.keptAt(text, i)) {
        quoted.out.append(String.format("\\x%02x", character & 0xFF));
      } else {
        quoted.character(character);
      }
      i += Character.charCount(character);
    }
    return quoted.out.append('"').toString();
  }

  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~' || c == '"' || c == '\\') {
        return false;
      }
    }
    return true;
  }

  static String ofCharacter(int character, boolean ascii) {
    QuotedText quoted = new QuotedText('\'', ascii, 12);
    quoted.out.append('\'');
    quoted.character(isCharacter(character) ? character : 0xFFFD);
    return quoted.out.append('\'').toString();
  }

  static boolean isCharacter(long number) {
    return number >= 0 && number <= Character.MAX_CODE_POINT
        && (number < Character.MIN_SURROGATE || number > Character.MAX_SURROGATE);
  }

  private void character(int c) {
    int escape = ESCAPED.indexOf(c);
    if (c == quote) {
      out.append('\\').append(quote);
    } else if (escape >= 0) {
      out.append('\\').append(SHORT.charAt(escape));
    } else if (isPrintable(c) && (!ascii || c < 128)) {
      out.appendCodePoint(c);
    } else if (c < ' ' || c == 127) {
      out.append(String.format("\\x%02x", c));
    } else {
      out.append(String.format(c < 0x10000 ? "\\u%04x" : "\\U%08x", c));
    }
  }

  /** Returns whether it is a letter, mark, number, punctuation, symbol or the ASCII blank. */
  static boolean isPrintable(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.PRIVATE_USE, Character.UNASSIGNED,
          Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
        false;
      case Character.SPACE_SEPARATOR -> c == ' ';
      default -> true;
    };
  }

  /** Returns whether the string can be written between back quotes. */
  static boolean fitsBackQuotes(String text) {
    return text.codePoints().noneMatch(c -> c < ' ' && c != '\t' || c == '`' || c == 127 || c == 0xFEFF
        || c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
  }
}
