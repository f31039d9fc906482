package portcullis.lang.source;

/**
 * Makes strings from outside safe to show in a terminal: none of their characters moves its cursor, changes its colours
 * or reverses text.
 */
public final class TerminalText {
  private TerminalText() {}

  /** Returns the string with blanks in place of its control and format characters. */
  public static String of(String text) {
    return except('\0', text);
  }

  /** Returns the same, cut with an ellipsis behind so many characters. */
  public static String of(String text, int most) {
    return text.codePointCount(0, text.length()) <= most ? of(text)
        : of(text.substring(0, text.offsetByCodePoints(0, most))) + "…";
  }

  /** Returns the same with one of these characters kept. */
  static String except(char kept, String text) {
    StringBuilder out = new StringBuilder(text);
    for (int i = 0; i < out.length(); i++) {
      char c = out.charAt(i);
      if (isControl(c) && (c != kept || kept == 0)) {
        out.setCharAt(i, ' ');
      }
    }
    return out.toString();
  }

  /** Control and format characters, ends of lines and paragraphs (Unicode 16, 4.5). */
  private static boolean isControl(char c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
      default -> false;
    };
  }
}
