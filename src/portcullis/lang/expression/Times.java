package portcullis.lang.expression;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import portcullis.lang.value.GoDuration;

/** Timestamps (RFC 3339) and durations ({@code 1h30m}) as Go reads and writes them, and their parts. */
final class Times {
  private static final Pattern TIMESTAMP = Pattern.compile(
      "(\\d{4})-(\\d\\d)-(\\d\\d)T(\\d\\d?):(\\d\\d):(\\d\\d)(?:[.,](\\d{1,40}))?(?:Z|([+-])(\\d\\d):(\\d\\d))");
  private static final long MILLISECOND = 1_000_000;

  private Times() {}

  static Optional<Function> find(String name) {
    return switch (name) {
      case "getFullYear" -> part(a -> zoned(a).getYear());
      case "getMonth" -> part(a -> zoned(a).getMonthValue() - 1);
      case "getDayOfYear" -> part(a -> zoned(a).getDayOfYear() - 1);
      case "getDate" -> part(a -> zoned(a).getDayOfMonth());
      case "getDayOfMonth" -> part(a -> zoned(a).getDayOfMonth() - 1);
      case "getDayOfWeek" -> part(a -> zoned(a).getDayOfWeek().getValue() % DayOfWeek.SUNDAY.getValue());
      case "getHours" -> part(a -> a.get(0) instanceof Val.Span s ? s.nanos() / GoDuration.HOUR : zoned(a).getHour());
      case "getMinutes" ->
        part(a -> a.get(0) instanceof Val.Span s ? s.nanos() / GoDuration.MINUTE : zoned(a).getMinute());
      case "getSeconds" ->
        part(a -> a.get(0) instanceof Val.Span s ? s.nanos() / GoDuration.SECOND : zoned(a).getSecond());
      case "getMilliseconds" ->
        part(a -> (a.get(0) instanceof Val.Span s ? s.nanos() : zoned(a).getNano()) / MILLISECOND);
      default -> Optional.empty();
    };
  }

  @FunctionalInterface
  private interface Part {
    long of(Arguments arguments) throws EvaluationFailure;
  }

  private static Optional<Function> part(Part part) {
    return Optional.of(a -> new Val.Int(part.of(a)));
  }

  /** Returns the timestamp in the zone of the second argument, by default in UTC. */
  private static ZonedDateTime zoned(Arguments a) throws EvaluationFailure {
    if (!(a.get(0) instanceof Val.Time time)) {
      throw a.mismatch();
    }
    return time.value().atZone(a.count() == 1 ? ZoneOffset.UTC : zone(a.text(1)));
  }

  /** Parses a zone of the tz database or an offset such as {@code +05:30}. */
  private static ZoneId zone(String name) throws EvaluationFailure {
    try {
      int colon = name.indexOf(':');
      if (colon >= 0) {
        int hours = Integer.parseInt(name.substring(0, colon));
        int minutes = Integer.parseInt(name.substring(colon + 1));
        return ZoneOffset.ofTotalSeconds(hours * 3600 + (name.startsWith("-") ? -minutes : minutes) * 60);
      }
      boolean isRegion = ZoneId.getAvailableZoneIds().contains(name);
      return isRegion ? ZoneId.of(name) : special(name);
    } catch (DateTimeException | NumberFormatException _) {
      throw new EvaluationFailure("no time zone `" + DisplayNames.cut(name) + "`");
    }
  }

  /** Zones of the tz database that Java leaves out, and Go's names for UTC. */
  private static ZoneId special(String name) {
    return switch (name) {
      case "", "Local" -> ZoneOffset.UTC;
      case "EST" -> ZoneOffset.ofHours(-5);
      case "MST" -> ZoneOffset.ofHours(-7);
      case "HST" -> ZoneOffset.ofHours(-10);
      default -> throw new DateTimeException(name);
    };
  }

  /** Reads {@code 2024-02-29T13:04:05.5+01:00}; empty for everything else. */
  static Optional<Val.Time> timestamp(String text) {
    Matcher m = TIMESTAMP.matcher(text);
    if (!m.matches()) {
      return Optional.empty();
    }
    try {
      LocalDateTime local = LocalDateTime.of(
          number(m, 1), number(m, 2), number(m, 3), number(m, 4), number(m, 5), number(m, 6));
      int nanos = m.group(7) == null ? 0 : Integer.parseInt((m.group(7) + "00000000").substring(0, 9));
      int offset = m.group(8) == null ? 0 : number(m, 9) * 3600 + number(m, 10) * 60;
      boolean allowed = m.group(8) == null || number(m, 9) <= 24 && number(m, 10) < 60;
      int east = "-".equals(m.group(8)) ? -offset : offset;
      Instant instant = local.toInstant(ZoneOffset.UTC).minusSeconds(east).plusNanos(nanos);
      return allowed ? Optional.of(new Val.Time(instant, east)) : Optional.empty();
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }

  private static int number(Matcher matcher, int group) {
    return Integer.parseInt(matcher.group(group));
  }

  /** Formats as {@code 2024-02-29T13:04:05.5+01:00}, without trailing zeros of the second. */
  static String text(Val.Time time) {
    Instant local = time.value().plusSeconds(time.offset());
    int nanos = local.getNano();
    String whole = local.minusNanos(nanos).toString();
    String digits = nanos == 0 ? "" : "." + String.format("%09d", nanos).replaceAll("0+$", "");
    int minutes = Math.abs(time.offset()) / 60;
    String sign = time.offset() < 0 ? "-" : "+";
    String zone = minutes == 0 ? "Z" : String.format("%s%02d:%02d", sign, minutes / 60, minutes % 60);
    return whole.substring(0, whole.length() - 1) + digits + zone;
  }

  /** Formats in seconds: {@code 5400s}, {@code 1.5s}. */
  static String text(long nanos) {
    double seconds = BigDecimal.valueOf(nanos).divide(BigDecimal.valueOf(GoDuration.SECOND), 20, RoundingMode.HALF_EVEN)
        .doubleValue();
    return Conversions.plain(seconds) + "s";
  }
}
