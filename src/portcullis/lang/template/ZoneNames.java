package portcullis.lang.template;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Abbreviations of time zones as Go recognises them. */
final class ZoneNames {
  private static final Pattern SIGNED = Pattern.compile("[+-](\\d+)");
  private static final Pattern WITH_OFFSET = Pattern.compile("GMT([+-]\\d+)");
  private static final int MOST_HOURS = 23;

  private ZoneNames() {}

  /** Returns the length of the abbreviation that the string begins with, or 0. */
  static int length(String text) {
    if (text.startsWith("ChST") || text.startsWith("MeST")) {
      return 4;
    }
    if (text.startsWith("GMT")) {
      return 3 + signedLength(text.substring(3));
    }
    return text.startsWith("+") || text.startsWith("-") ? signedLength(text) : capitals(text);
  }

  private static int signedLength(String text) {
    Matcher signed = SIGNED.matcher(text);
    boolean valid = signed.lookingAt() && signed.group(1).length() < 9
        && Integer.parseInt(signed.group(1)) <= MOST_HOURS;
    return valid ? signed.end() : 0;
  }

  /** Accepts three to five capitals; of four or five the last is a T, except in {@code WITA}. */
  private static int capitals(String text) {
    int count = 0;
    while (count < 6 && count < text.length() && text.charAt(count) >= 'A' && text.charAt(count) <= 'Z') {
      count++;
    }
    boolean valid = switch (count) {
      case 3 -> true;
      case 4 -> text.charAt(3) == 'T' || text.startsWith("WITA");
      case 5 -> text.charAt(4) == 'T';
      default -> false;
    };
    return valid ? count : 0;
  }

  /** Returns the offset in seconds of a name such as {@code GMT-8}; 0 for other names. */
  static int offset(String name) {
    Matcher offset = WITH_OFFSET.matcher(name);
    return offset.matches() ? Integer.parseInt(offset.group(1)) * 3600 : 0;
  }
}
