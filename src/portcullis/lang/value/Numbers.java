package portcullis.lang.value;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Floats as Go writes them: the shortest digits that read back, with an exponent only where it is far away. */
public final class Numbers {
  private Numbers() {}

  /** As {@code fmt} prints with {@code %v}: exponent below 1e-4 and from 1e6 on, of two digits at least. */
  public static String text(double value) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    return isSmallWhole(value, 1e6) ? Long.toString((long) value) : digits(value, -4, 6, 2);
  }

  private static boolean isSmallWhole(double value, double beyond) {
    return value == Math.rint(value) && Math.abs(value) < beyond && (value != 0 || 1 / value > 0);
  }

  /** As {@code encoding/json} writes: exponent below 1e-6 and from 1e21 on; the value is finite. */
  public static String json(double value) {
    return isSmallWhole(value, 1e15) ? Long.toString((long) value) : digits(value, -6, 21, 1);
  }

  /** The number with the fewest digits that reads back as the value, which is finite; of several the nearest one. */
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

  private static String digits(double value, int lowest, int beyond, int exponentDigits) {
    if (value == 0) {
      return 1 / value < 0 ? "-0" : "0";
    }
    BigDecimal shortest = shortest(Math.abs(value));
    int exponent = shortest.precision() - shortest.scale() - 1;
    String sign = value < 0 ? "-" : "";
    if (exponent >= lowest && exponent < beyond) {
      return sign + shortest.toPlainString();
    }
    String all = shortest.unscaledValue().toString();
    String mantissa = all.length() == 1 ? all : all.charAt(0) + "." + all.substring(1);
    String power = Integer.toString(Math.abs(exponent));
    return sign + mantissa + (exponent < 0 ? "e-" : "e+") + "0".repeat(Math.max(0, exponentDigits - power.length()))
        + power;
  }
}
