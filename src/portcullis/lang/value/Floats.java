package portcullis.lang.value;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/**
 * Writes floats as Go does: with the fewest digits that read back as the value, or as a verb and a precision require.
 */
public final class Floats {
  /** The precision that writes the fewest digits that read back as the value. */
  public static final int SHORTEST = -1;

  /** No float has more digits than that; behind them are zeros. */
  private static final int MOST_DIGITS = 1100;

  /** All digits without sign, and where the point stands: 0 is in front of the first one. */
  private record Digits(String all, int point) {
    static Digits of(BigDecimal number) {
      BigDecimal bare = number.abs().stripTrailingZeros();
      return bare.signum() == 0 ? new Digits("", 0)
          : new Digits(bare.unscaledValue().toString(), bare.precision() - bare.scale());
    }

    char at(int index) {
      return index >= 0 && index < all.length() ? all.charAt(index) : '0';
    }
  }

  private Floats() {}

  /** Writes as {@code fmt} with {@code %v}: exponent below 1e-4 and from 1e6 on, of two digits at least. */
  public static String text(double value) {
    return isSmallWhole(value, 1e6) ? Long.toString((long) value) : text(value, 'g', SHORTEST);
  }

  private static boolean isSmallWhole(double value, double beyond) {
    return value == Math.rint(value) && Math.abs(value) < beyond && (value != 0 || 1 / value > 0);
  }

  /** Writes as {@code encoding/json}: exponent below 1e-6 and from 1e21 on; the value is finite. */
  public static String json(double value) {
    if (isSmallWhole(value, 1e15)) {
      return Long.toString((long) value);
    }
    double bare = Math.abs(value);
    boolean fixed = bare == 0 || bare >= 1e-6 && bare < 1e21;
    return fixed ? text(value, 'f', SHORTEST) : text(value, 'e', SHORTEST).replace("e-0", "e-");
  }

  /**
   * Returns the number with the fewest digits that reads back as the value, which is finite; of several the nearest
   * one.
   */
  public static BigDecimal shortest(double value) {
    BigDecimal near = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    if (near.precision() != 2) {
      return near;
    }
    for (RoundingMode mode : new RoundingMode[] {RoundingMode.HALF_EVEN, RoundingMode.UP, RoundingMode.DOWN}) {
      BigDecimal one = near.round(new MathContext(1, mode));
      if (one.doubleValue() == value) {
        return one.stripTrailingZeros();
      }
    }
    return near;
  }

  /**
   * Writes as {@code strconv.FormatFloat}.
   *
   * @param verb one of {@code b e E f F g G x X}
   */
  public static String text(double value, char verb, int precision) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    String sign = value < 0 || value == 0 && 1 / value < 0 ? "-" : "";
    double bare = Math.abs(value);
    return sign + switch (verb) {
      case 'b' -> binary(bare);
      case 'x', 'X' -> cased(hexadecimal(bare, precision), verb);
      case 'e', 'E' -> cased(exponential(rounded(bare, precision + 1, precision), precision), verb);
      case 'g', 'G' -> cased(general(bare, precision == 0 ? 1 : precision), verb);
      default -> fixed(bare, precision);
    };
  }

  private static String cased(String text, char verb) {
    return Character.isUpperCase(verb) ? text.toUpperCase(Locale.ROOT) : text;
  }

  private static Digits rounded(double value, int digits, int precision) {
    return Digits.of(precision < 0 ? shortest(value)
        : new BigDecimal(value).round(new MathContext(Math.min(digits, MOST_DIGITS), RoundingMode.HALF_EVEN)));
  }

  private static String exponential(Digits digits, int precision) {
    int after = precision < 0 ? Math.max(digits.all.length() - 1, 0) : precision;
    StringBuilder out = new StringBuilder().append(digits.at(0)).append(after > 0 ? "." : "");
    for (int i = 1; i <= after; i++) {
      out.append(digits.at(i));
    }
    int power = digits.all.isEmpty() ? 0 : digits.point - 1;
    return out.append(power < 0 ? "e-" : "e+").append(Math.abs(power) < 10 ? "0" : "").append(Math.abs(power))
        .toString();
  }

  private static String fixed(double value, int precision) {
    BigDecimal number = precision < 0 ? shortest(value) : new BigDecimal(value);
    int scale = precision < 0 ? Math.max(number.scale(), 0) : Math.min(precision, MOST_DIGITS);
    return number.setScale(scale, RoundingMode.HALF_EVEN).toPlainString()
        + "0".repeat(Math.max(precision - MOST_DIGITS, 0));
  }

  private static String general(double value, int precision) {
    Digits digits = rounded(value, precision, precision);
    int count = digits.all.length();
    int limit = precision < 0 ? 6 : precision > count && count >= digits.point ? count : precision;
    int power = digits.point - 1;
    if (power < -4 || power >= limit) {
      return exponential(digits, Math.max(precision < 0 ? count - 1 : Math.min(precision, count) - 1, 0));
    }
    return plain(digits, Math.max(count - digits.point, 0));
  }

  private static String plain(Digits digits, int after) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < Math.max(digits.point, 1); i++) {
      out.append(digits.point > 0 ? digits.at(i) : '0');
    }
    out.append(after > 0 ? "." : "");
    for (int i = 0; i < after; i++) {
      out.append(digits.at(digits.point + i));
    }
    return out.toString();
  }

  /** {@code mantissap±power}, of base two. */
  private static String binary(double value) {
    long bits = Double.doubleToLongBits(value);
    long fraction = bits & (1L << 52) - 1;
    int exponent = (int) (bits >>> 52);
    long mantissa = exponent == 0 ? fraction : fraction | 1L << 52;
    int power = Math.max(exponent, 1) - 1023 - 52;
    return mantissa + "p" + (power < 0 ? "" : "+") + power;
  }

  /** {@code 0x1.8p+00} */
  private static String hexadecimal(double value, int precision) {
    int power = value == 0 ? 0 : Math.getExponent(value);
    BigDecimal mantissa = new BigDecimal(value);
    if (value != 0 && power < Double.MIN_EXPONENT) {
      power = Double.MIN_EXPONENT - 52 + 63 - Long.numberOfLeadingZeros(Double.doubleToLongBits(value));
    }
    mantissa = power >= 0 ? mantissa.divide(BigDecimal.TWO.pow(power)) : mantissa.multiply(BigDecimal.TWO.pow(-power));
    int digits = precision < 0 ? 13 : Math.min(precision, MOST_DIGITS);
    String scaled = mantissa.multiply(BigDecimal.valueOf(16).pow(digits)).setScale(0, RoundingMode.HALF_EVEN)
        .toBigInteger().toString(16);
    if (scaled.startsWith("2") && scaled.length() == digits + 1) {
      scaled = "1" + scaled.substring(1);
      power++;
    }
    String padded = value == 0 ? "0".repeat(digits + 1) : scaled;
    String after = padded.substring(1);
    after = precision < 0 ? after.replaceAll("0+$", "") : after;
    return "0x" + padded.charAt(0) + (after.isEmpty() ? "" : "." + after) + (power < 0 ? "p-" : "p+")
        + (Math.abs(power) < 10 ? "0" : "") + Math.abs(power);
  }
}
