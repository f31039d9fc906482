package portcullis.policy.endpoint;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Parses dates of header fields in their three formats (RFC 9110, 5.6.7). */
final class HttpDate {
  private static final DateTimeFormatter FIXED = formatter("EEE, dd MMM uuuu HH:mm:ss 'GMT'");
  private static final DateTimeFormatter RFC_850 = formatter("EEEE, dd-MMM-uu HH:mm:ss 'GMT'");
  private static final DateTimeFormatter ASCTIME = formatter("EEE MMM ppd HH:mm:ss uuuu");
  private static final int YEARS_AHEAD = 50;

  private HttpDate() {}

  /** The day of the week is ignored, as it may be wrong. */
  private static DateTimeFormatter formatter(String pattern) {
    return new DateTimeFormatterBuilder().parseCaseInsensitive().appendPattern(pattern).toFormatter(Locale.ENGLISH)
        .withResolverFields(ChronoField.YEAR, ChronoField.MONTH_OF_YEAR, ChronoField.DAY_OF_MONTH,
            ChronoField.HOUR_OF_DAY,
            ChronoField.MINUTE_OF_HOUR, ChronoField.SECOND_OF_MINUTE);
  }

  /**
   * Parses a date; empty if it is invalid.
   *
   * @param now the current time: a year of two digits is at most 50 years ahead
   */
  static Optional<Instant> parse(String text, Instant now) {
    for (DateTimeFormatter form : List.of(FIXED, RFC_850, ASCTIME)) {
      Optional<LocalDateTime> time = parse(text, form);
      if (time.isPresent()) {
        return time.map(t -> form == RFC_850 ? past(t, now) : t).map(t -> t.toInstant(ZoneOffset.UTC));
      }
    }
    return Optional.empty();
  }

  private static Optional<LocalDateTime> parse(String text, DateTimeFormatter form) {
    try {
      return Optional.of(LocalDateTime.parse(text, form));
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }

  private static LocalDateTime past(LocalDateTime time, Instant now) {
    LocalDateTime limit = LocalDateTime.ofInstant(now, ZoneOffset.UTC).plusYears(YEARS_AHEAD);
    return time.isAfter(limit) ? time.minusYears(100) : time;
  }
}
