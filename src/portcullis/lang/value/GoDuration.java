package portcullis.lang.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;

/** Reads and writes durations in Go's notation, as {@code 1h30m0.5s}: nanoseconds in 64 bits. */
public final class GoDuration {
  public static final long SECOND = 1_000_000_000L;
  public static final long MINUTE = 60 * SECOND;
  public static final long HOUR = 60 * MINUTE;

  private static final int LONGEST = 256;
  private static final Map<String, Long> UNITS = Map.of("ns", 1L, "us", 1_000L, "\u00b5s", 1_000L, "\u03bcs", 1_000L,
      "ms", 1_000_000L, "s", SECOND, "m", MINUTE, "h", HOUR);

  private GoDuration() {}

  /** Returns the nanoseconds of {@code [sign] ( number unit )+} or of {@code 0}; empty for every other string. */
  public static Optional<Long> parse(String text) {
    String terms = text.startsWith("-") || text.startsWith("+") ? text.substring(1) : text;
    if (terms.equals("0")) {
      return Optional.of(0L);
    }
    if (terms.isEmpty() || terms.length() > LONGEST) {
      return Optional.empty();
    }
    BigInteger sum = BigInteger.ZERO;
    int at = 0;
    while (at < terms.length()) {
      int unit = skip(terms, at, true);
      int next = skip(terms, unit, false);
      Optional<BigInteger> nanos = nanos(terms.substring(at, unit), terms.substring(unit, next));
      if (nanos.isEmpty()) {
        return Optional.empty();
      }
      sum = sum.add(nanos.get());
      at = next;
    }
    BigInteger signed = text.startsWith("-") ? sum.negate() : sum;
    return signed.bitLength() < Long.SIZE ? Optional.of(signed.longValue()) : Optional.empty();
  }

  private static int skip(String text, int from, boolean number) {
    int at = from;
    while (at < text.length()
        && (text.charAt(at) >= '0' && text.charAt(at) <= '9' || text.charAt(at) == '.') == number) {
      at++;
    }
    return at;
  }

  private static Optional<BigInteger> nanos(String number, String unit) {
    Long factor = UNITS.get(unit);
    try {
      return factor == null ? Optional.empty()
          : Optional.of(new BigDecimal(number).multiply(BigDecimal.valueOf(factor)).toBigInteger());
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }

  /** Returns {@code 1h2m3.5s}; below a second in the largest unit that fits, as {@code 1.5ms}. */
  public static String text(long nanos) {
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

  /** Rounds to a multiple of the unit, halves away from zero. */
  public static long rounded(long nanos, long unit) {
    if (unit <= 0) {
      return nanos;
    }
    long rest = nanos % unit;
    boolean up = Math.abs(rest) >= unit - Math.abs(rest);
    long cut = nanos - rest;
    return up ? cut + (nanos < 0 ? -unit : unit) : cut;
  }
}
