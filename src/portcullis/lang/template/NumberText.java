package portcullis.lang.template;

import java.math.BigInteger;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Parses numbers as Go's strconv does. */
final class NumberText {
  private static final BigInteger TOO_LARGE = BigInteger.ONE.shiftLeft(63);

  /** The maximum number of digits; numbers with more become {@link #HUGE}. */
  private static final int MOST_DIGITS = 100;
  private static final BigInteger HUGE = BigInteger.ONE.shiftLeft(400);
  private static final Pattern DECIMAL = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");
  private static final Pattern HEXADECIMAL = Pattern
      .compile("[+-]?0[xX](\\p{XDigit}+\\.?\\p{XDigit}*|\\.\\p{XDigit}+)[pP][+-]?\\d+");
  private static final Pattern ENDLESS = Pattern.compile("[+-]?inf(inity)?");

  private NumberText() {}

  /** Parses an integer of any size with an optional base prefix, as {@code 0x1F}, {@code 017}, {@code 1_000}. */
  static Optional<BigInteger> whole(String text) {
    String digits = unsigned(text);
    if (digits.contains("_") && !underscoresSeparate(digits)) {
      return Optional.empty();
    }
    int radix = radix(digits);
    String bare = digits.substring(radix == 10 ? 0 : prefix(digits)).replace("_", "");
    return whole(bare, radix).map(number -> text.startsWith("-") ? number.negate() : number);
  }

  /** Parses a decimal integer without prefix. */
  static Optional<BigInteger> decimal(String text) {
    return whole(unsigned(text), 10).map(number -> text.startsWith("-") ? number.negate() : number);
  }

  static Optional<BigInteger> whole(String digits, int radix) {
    boolean valid = !digits.isEmpty() && digits.chars().allMatch(c -> c < 128 && Character.digit(c, radix) >= 0);
    if (!valid) {
      return Optional.empty();
    }
    long zeros = digits.chars().takeWhile(c -> c == '0').count();
    String significant = digits.substring((int) Math.min(zeros, digits.length() - 1));
    return Optional.of(significant.length() > MOST_DIGITS ? HUGE : new BigInteger(significant, radix));
  }

  static boolean fits64(BigInteger number) {
    return number.compareTo(TOO_LARGE) < 0 && number.compareTo(TOO_LARGE.negate()) >= 0;
  }

  private static String unsigned(String text) {
    return text.startsWith("-") || text.startsWith("+") ? text.substring(1) : text;
  }

  private static int radix(String digits) {
    if (digits.length() < 2 || digits.charAt(0) != '0') {
      return 10;
    }
    return switch (digits.charAt(1)) {
      case 'x', 'X' -> 16;
      case 'b', 'B' -> 2;
      default -> 8;
    };
  }

  private static int prefix(String digits) {
    return Character.isLetter(digits.charAt(1)) ? 2 : 1;
  }

  /** Each must be between digits or after the prefix. */
  private static boolean underscoresSeparate(String digits) {
    boolean prefixed = radix(digits) != 10 && prefix(digits) == 2;
    boolean hex = prefixed && radix(digits) == 16;
    char before = prefixed ? '0' : '^';
    for (int i = prefixed ? 2 : 0; i < digits.length(); i++) {
      char c = digits.charAt(i);
      boolean digit = c >= '0' && c <= '9' || hex && Character.digit(c, 16) >= 0;
      if (c == '_' && before != '0' || before == '_' && !digit) {
        return false;
      }
      before = digit ? '0' : c;
    }
    return before != '_';
  }

  /** Parses a float64; empty also for one that is too large. */
  static Optional<Double> real(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    if (ENDLESS.matcher(lower).matches()) {
      return Optional.of(lower.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY);
    }
    if (lower.equals("nan")) {
      return Optional.of(Double.NaN);
    }
    if (text.contains("_") && !underscoresSeparate(unsigned(text))) {
      return Optional.empty();
    }
    String bare = text.replace("_", "");
    if (!DECIMAL.matcher(bare).matches() && !HEXADECIMAL.matcher(bare).matches()) {
      return Optional.empty();
    }
    return Optional.of(Double.parseDouble(bare)).filter(number -> !number.isInfinite());
  }
}
