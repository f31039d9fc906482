package portcullis.lang.source;

/**
 * Words of others as a terminal may show them: no character of theirs moves its cursor, changes its colours or turns
 * text around.
 */
public final class OneLine {
  private OneLine() {}

  /** The same number of characters, those that a terminal obeys as blanks. */
  public static String of(String text) {
    return but('\0', text);
  }

  /** The same with one of these characters left as it is. */
  static String but(char left, String text) {
    StringBuilder out = new StringBuilder(text);
    for (int i = 0; i < out.length(); i++) {
      char c = out.charAt(i);
      if (isObeyed(c) && (c != left || left == 0)) {
        out.setCharAt(i, ' ');
      }
    }
    return out.toString();
  }

  /** Control and format characters, ends of lines and paragraphs (Unicode 16, 4.5). */
  private static boolean isObeyed(char c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
      default -> false;
    };
  }
}
