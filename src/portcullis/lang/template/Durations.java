package portcullis.lang.template;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;

/** Go's durations: nanoseconds in 64 bits. */
final class Durations {
  static final long SECOND = 1_000_000_000L;
  static final long MINUTE = 60 * SECOND;
  static final long HOUR = 60 * MINUTE;

  private static final int MOST_CHARACTERS = 256;
  private static final Pattern WHOLE = Pattern
      .compile("[-+]?((\\d+\\.?\\d*|\\.\\d+)(ns|us|\u00b5s|\u03bcs|ms|s|m|h))+");
  private static final Pattern PART = Pattern.compile("(\\d+\\.?\\d*|\\.\\d+)(ns|us|\u00b5s|\u03bcs|ms|s|m|h)");
  private static final Map<String, Long> UNITS = Map.of("ns", 1L, "us", 1_000L, "\u00b5s", 1_000L, "\u03bcs", 1_000L,
      "ms",
      1_000_000L, "s", SECOND, "m", MINUTE, "h", HOUR);

  private Durations() {}

  /** As {@code -1h2m3.5s}. */
  static Optional<Long> read(String text) {
    if (text.equals("0") || text.equals("+0") || text.equals("-0")) {
      return Optional.of(0L);
    }
    if (text.length() > MOST_CHARACTERS || !WHOLE.matcher(text).matches()) {
      return Optional.empty();
    }
    BigInteger sum = BigInteger.ZERO;
    Matcher part = PART.matcher(text);
    while (part.find()) {
      BigDecimal unit = BigDecimal.valueOf(UNITS.get(part.group(2)));
      sum = sum.add(new BigDecimal(part.group(1)).multiply(unit).toBigInteger());
    }
    sum = text.startsWith("-") ? sum.negate() : sum;
    return sum.bitLength() < Long.SIZE ? Optional.of(sum.longValue()) : Optional.empty();
  }

  /** As {@code 1h2m3.5s}; below a second in the unit that suits. */
  static String text(long nanos) {
    if (nanos == 0) {
      return "0s";
    }
    String sign = nanos < 0 ? "-" : "";
    BigDecimal bare = BigDecimal.valueOf(nanos).abs();
    if (bare.compareTo(BigDecimal.valueOf(SECOND)) < 0) {
      long small = Math.abs(nanos);
      return sign
          + (small < 1_000 ? small + "ns" : small < 1_000_000 ? scaled(bare, 3) + "\u00b5s" : scaled(bare, 6) + "ms");
    }
    long seconds = bare.movePointLeft(9).longValue();
    String rest = scaled(bare.subtract(BigDecimal.valueOf(seconds / 60 * 60).movePointRight(9)), 9) + "s";
    String minutes = seconds >= 60 ? seconds / 60 % 60 + "m" : "";
    return sign + (seconds >= 3600 ? seconds / 3600 + "h" : "") + minutes + rest;
  }

  private static String scaled(BigDecimal number, int digits) {
    BigDecimal scaled = number.movePointLeft(digits);
    return scaled.signum() == 0 ? "0" : scaled.stripTrailingZeros().toPlainString();
  }

  /** The largest unit only, as {@code 3mo}, {@code 2d}. */
  static String rounded(long nanos) {
    long bare = nanos < 0 ? -nanos : nanos;
    long day = 24 * HOUR;
    long[] units = {365 * day, 30 * day, day, HOUR, MINUTE, SECOND};
    String[] names = {"y", "mo", "d", "h", "m", "s"};
    for (int i = 0; i < units.length; i++) {
      if (Long.compareUnsigned(bare, units[i]) > 0) {
        return Long.divideUnsigned(bare, units[i]) + names[i];
      }
    }
    return "0s";
  }

  /** To a multiple of the unit; halves away from zero. */
  static long rounded(long nanos, long unit) {
    if (unit <= 0) {
      return nanos;
    }
    long rest = nanos % unit;
    boolean up = Math.abs(rest) >= unit - Math.abs(rest);
    long cut = nanos - rest;
    return up ? cut + (nanos < 0 ? -unit : unit) : cut;
  }
}
