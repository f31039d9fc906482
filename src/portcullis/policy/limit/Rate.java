package portcullis.policy.limit;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import portcullis.config.Durations;

/**
 * How many requests there may be in a period. Written as {@code 100/1m}.
 *
 * @param count at least 1
 */
public record Rate(long count, Duration period) {
  private static final Pattern FORM = Pattern.compile("([1-9]\\d{0,8})/(.{1,20})");
  /** Between two requests: Redis counts in microseconds. */
  private static final long SHORTEST_NANOS = 1000;
  private static final Duration LONGEST = Duration.ofDays(31);

  /** Parses {@code 100/1m} or {@code 10/s}; empty for other strings, and for periods of more than 31 days. */
  public static Optional<Rate> parse(String text) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    String period = parts.group(2);
    return Durations.parse(Character.isDigit(period.charAt(0)) ? period : "1" + period)
        .filter(time -> time.compareTo(Duration.ofMillis(1)) >= 0 && time.compareTo(LONGEST) <= 0)
        .filter(time -> time.toNanos() / Long.parseLong(parts.group(1)) >= SHORTEST_NANOS)
        .map(time -> new Rate(Long.parseLong(parts.group(1)), time));
  }

  @Override
  public String toString() {
    return count + "/" + period;
  }
}
