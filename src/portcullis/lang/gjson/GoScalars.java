package portcullis.lang.gjson;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads numbers and booleans from strings and writes numbers as Go's {@code strconv} does. */
final class GoScalars {
  private static final Pattern DECIMAL = Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?");
  private static final Set<String> TRUE = Set.of("1", "t", "true");
  private static final Set<String> FALSE = Set.of("0", "f", "false");

  private GoScalars() {}

  /** Returns the number that the string spells; 0 if it spells none. */
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

  /** Returns the shortest digits that read back as the value, without an exponent. */
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
}
