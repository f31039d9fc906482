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
  /**
   * Numbers of up to this many digits fit into 64 bits in each unit; a start that has no others does not load
   * BigDecimal.
   */
  private static final int SHORT = 6;
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
    if (factor == null || number.isEmpty()) {
      return Optional.empty();
    }
    if (number.length() <= SHORT && number.indexOf('.') < 0) {
      return Optional.of(BigInteger.valueOf(Long.parseLong(number) * factor));
    }
    try {
      return Optional.of(new BigDecimal(number).multiply(BigDecimal.valueOf(factor)).toBigInteger());
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
    long bare = Math.abs(nanos); // of the least long itself, so that it is read as unsigned
    long seconds = Long.divideUnsigned(bare, SECOND);
    long rest = Long.remainderUnsigned(bare, SECOND);
    if (seconds == 0) {
      return sign + (rest < 1_000 ? rest + "ns"
          : rest < 1_000_000 ? decimal(rest, 1_000) + "\u00b5s"
              : decimal(rest, 1_000_000) + "ms");
    }
    String minutes = seconds >= 60 ? seconds / 60 % 60 + "m" : "";
    return sign + (seconds >= 3600 ? seconds / 3600 + "h" : "") + minutes
        + decimal(seconds % 60 * SECOND + rest, SECOND) + "s";
  }

  /** Returns the quotient by a power of ten, without zeros at its end. */
  private static String decimal(long number, long unit) {
    long rest = number % unit;
    if (rest == 0) {
      return Long.toString(number / unit);
    }
    String fraction = Long.toString(unit + rest).substring(1);
    int end = fraction.length();
    while (fraction.charAt(end - 1) == '0') {
      end--;
    }
    return number / unit + "." + fraction.substring(0, end);
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
