package portcullis.lang.source;

import java.util.OptionalInt;

/**
 * Makes strings from outside safe to show: none of their characters moves the cursor of a terminal, changes its colours
 * or reverses text.
 */
public final class TerminalText {
  private static final String BYTE_ORDER_MARK = "\ufeff";
  private static final String DIGITS = "0123456789abcdef";

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

  /**
   * Returns the string with its control and format characters visible: as JSON escapes them, with their numbers.
   *
   * @param kept control characters that are left as they are
   */
  public static String escaped(String text, String kept) {
    int at = escapedFrom(text, 0, kept);
    if (at == text.length()) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length() + DIGITS.length());
    int from = 0;
    while (at < text.length()) {
      out.append(text, from, at);
      from = at + Character.charCount(text.codePointAt(at));
      for (; at < from; at++) {
        escape(text.charAt(at), out);
      }
      at = escapedFrom(text, from, kept);
    }
    return out.append(text, from, at).toString();
  }

  /** Returns the index of the next character that is escaped, or the length. */
  private static int escapedFrom(String text, int from, String kept) {
    int at = from;
    while (at < text.length()) {
      int c = text.codePointAt(at);
      if (isControl(c) && kept.indexOf(c) < 0) {
        return at;
      }
      at += Character.charCount(c);
    }
    return at;
  }

  private static void escape(char unit, StringBuilder out) {
    out.append("\\u");
    for (int shift = 12; shift >= 0; shift -= 4) {
      out.append(DIGITS.charAt(unit >> shift & 15));
    }
  }

  /**
   * Returns the index of the first character that makes a terminal or an editor show other text than what is read: a
   * control character or an end of line that is not one of a text file, or a format character, which changes the
   * direction of text (CVE-2021-42574) or is not seen at all. A byte order mark may be the first one. Empty if there is
   * none.
   */
  public static OptionalInt misleading(String text) {
    int c;
    for (int i = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0; i < text.length(); i += Character.charCount(c)) {
      c = text.codePointAt(i);
      boolean lineEnd = c == '\n' || c == '\r' && i + 1 < text.length() && text.charAt(i + 1) == '\n';
      if (!lineEnd && c != '\t' && isControl(c)) {
        return OptionalInt.of(i);
      }
    }
    return OptionalInt.empty();
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
  private static boolean isControl(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
      default -> false;
    };
  }
}
