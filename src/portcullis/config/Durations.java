package portcullis.config;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Durations and sizes as Go programs write them. */
public final class Durations {
  static final String PATTERN = "^(0|(([0-9]+\\.?[0-9]*|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$";
  static final String PLAIN_PATTERN = "^(0|[0-9]+(ns|us|ms|s|m|h))$";
  static final String BYTES_PATTERN = "^[0-9]{1,9}(B|KB|MB|GB|TB)$";

  private static final Map<String, Long> NANOS = Map.of("ns", 1L, "us", 1_000L, "µs", 1_000L, "μs", 1_000L,
      "ms", 1_000_000L, "s", 1_000_000_000L, "m", 60_000_000_000L, "h", 3_600_000_000_000L);
  private static final Map<String, Integer> SHIFTS = Map.of("B", 0, "KB", 10, "MB", 20, "GB", 30, "TB", 40);

  private Durations() {}

  /** {@code ( number unit )+} with units ns, us, ms, s, m, h, or a plain {@code 0}; never negative. */
  public static Optional<Duration> parse(String text) {
    if (text.equals("0")) {
      return Optional.of(Duration.ZERO);
    }
    BigDecimal nanos = BigDecimal.ZERO;
    int at = 0;
    while (at < text.length()) {
      int unit = skip(text, at, true);
      int next = skip(text, unit, false);
      Long factor = NANOS.get(text.substring(unit, next));
      Optional<BigDecimal> number = number(text.substring(at, unit));
      if (factor == null || number.isEmpty()) {
        return Optional.empty();
      }
      nanos = nanos.add(number.get().multiply(BigDecimal.valueOf(factor)));
      at = next;
    }
    boolean fits = !text.isEmpty() && nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0;
    return fits ? Optional.of(Duration.ofNanos(nanos.longValue())) : Optional.empty();
  }

  /** {@code digits ( B | KB | MB | GB | TB )}. */
  static Optional<Long> bytes(String text) {
    int unit = skip(text, 0, true);
    Integer shift = SHIFTS.get(text.substring(unit));
    if (shift == null || unit == 0 || unit > 9 || text.indexOf('.') >= 0) {
      return Optional.empty();
    }
    long number = Long.parseLong(text.substring(0, unit));
    return number > Long.MAX_VALUE >> shift ? Optional.empty() : Optional.of(number << shift);
  }

  /** {@code 0 | digits unit}: one whole number. */
  static boolean isPlain(String text) {
    int unit = skip(text, 0, true);
    return text.indexOf('.') < 0 && skip(text, unit, false) == text.length();
  }

  /** As it would be written, in the largest units that divide it: {@code 1h30m}, {@code 5s}. */
  static String text(Duration duration) {
    StringBuilder out = new StringBuilder();
    long rest = duration.toNanos();
    for (String unit : List.of("h", "m", "s", "ms", "us", "ns")) {
      long count = rest / NANOS.get(unit);
      rest %= NANOS.get(unit);
      out.append(count > 0 ? count + unit : "");
    }
    return out.isEmpty() ? "0s" : out.toString();
  }

  /** As it would be written, in the largest unit that divides it: {@code 4KB}. */
  static String bytesText(long bytes) {
    String unit = List.of("TB", "GB", "MB", "KB").stream().filter(u -> bytes > 0 && bytes % (1L << SHIFTS.get(u)) == 0)
        .findFirst().orElse("B");
    return (bytes >> SHIFTS.get(unit)) + unit;
  }

  private static int skip(String text, int from, boolean digits) {
    int at = from;
    while (at < text.length() && isDigit(text.charAt(at)) == digits) {
      at++;
    }
    return at;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9' || c == '.';
  }

  private static Optional<BigDecimal> number(String digits) {
    try {
      return digits.length() > 30 ? Optional.empty() : Optional.of(new BigDecimal(digits));
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }
}
