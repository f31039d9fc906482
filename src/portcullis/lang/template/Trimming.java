package portcullis.lang.template;

import java.util.function.IntPredicate;

/** Removes characters from both ends of a string. */
final class Trimming {
  private Trimming() {}

  static String space(String text) {
    return trimmed(text, Trimming::isSpace);
  }

  static String any(String text, String characters) {
    return characters.isEmpty() ? text : trimmed(text, c -> characters.indexOf(c) >= 0);
  }

  private static String trimmed(String text, IntPredicate away) {
    int start = 0;
    int end = text.length();
    while (start < end && away.test(text.codePointAt(start))) {
      start += Character.charCount(text.codePointAt(start));
    }
    while (end > start && away.test(text.codePointBefore(end))) {
      end -= Character.charCount(text.codePointBefore(end));
    }
    return text.substring(start, end);
  }

  /** Returns whether the character is White_Space of Unicode. */
  static boolean isSpace(int c) {
    return c >= 9 && c <= 13 || c == 0x85 || Character.isSpaceChar(c);
  }
}
