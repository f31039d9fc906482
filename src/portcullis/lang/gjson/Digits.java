package portcullis.lang.gjson;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Numbers and truth as Go reads them off texts, and numbers as it writes them. */
final class Digits {
  private static final Pattern DECIMAL = Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?");
  private static final Set<String> TRUE = Set.of("1", "t", "true");
  private static final Set<String> FALSE = Set.of("0", "f", "false");

  private Digits() {}

  /** The number that a text spells; 0 for everything else. */
  static double number(String text) {
    if (DECIMAL.matcher(text).matches()) {
      return Double.parseDouble(text);
    }
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "inf", "+inf", "infinity", "+infinity" -> Double.POSITIVE_INFINITY;
      case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
      case "nan" -> Double.NaN;
      default -> 0;
    };
  }

  static boolean isTrue(String text) {
    return TRUE.contains(text.toLowerCase(Locale.ROOT));
  }

  static boolean isFalse(String text) {
    return FALSE.contains(text.toLowerCase(Locale.ROOT));
  }

  static boolean areAll(String text, int from) {
    for (int i = from; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }

  /** The shortest digits that read back, never with an exponent. */
  static String plain(double value) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    if (value == 0) {
      return 1 / value < 0 ? "-0" : "0";
    }
    return new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
  }

  /** The digits as a number of 64 bits, which goes round where there are too many; 0 for everything else. */
  static long whole(String text) {
    int start = text.startsWith("-") ? 1 : 0;
    if (start == text.length() || !areAll(text, start)) {
      return 0;
    }
    long number = 0;
    for (int i = start; i < text.length(); i++) {
      number = number * 10 + text.charAt(i) - '0';
    }
    return start == 1 ? -number : number;
  }
}
