package portcullis.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.lang.value.GoDuration;

/** Durations and sizes as Go programs write them. */
public final class Durations {
  static final String PATTERN = "^(0|(([0-9]+\\.?[0-9]*|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$";
  static final String PLAIN_PATTERN = "^(0|[0-9]+(ns|us|ms|s|m|h))$";
  static final String BYTES_PATTERN = "^[0-9]{1,9}(B|KB|MB|GB|TB)$";

  private static final Map<String, Integer> SHIFTS = Map.of("B", 0, "KB", 10, "MB", 20, "GB", 30, "TB", 40);

  private Durations() {}

  /** {@code ( number unit )+} with units ns, us, ms, s, m, h, or a plain {@code 0}; never negative. */
  public static Optional<Duration> parse(String text) {
    boolean signed = text.startsWith("-") || text.startsWith("+");
    return signed ? Optional.empty() : GoDuration.parse(text).map(Duration::ofNanos);
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

  /** Returns how it would be written, without zeros at the end: {@code 1h30m}, {@code 5s}. */
  static String text(Duration duration) {
    return GoDuration.text(duration.toNanos()).replaceFirst("(?<=m)0s$", "").replaceFirst("(?<=h)0m$", "");
  }

  /** Formats a size in the largest unit that divides it: {@code 4KB}. */
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
}
