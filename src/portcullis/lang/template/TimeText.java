package portcullis.lang.template;

import java.time.DayOfWeek;
import java.time.Month;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.TextStyle;
import java.util.Locale;
import java.util.Set;
import portcullis.lang.value.GoDuration;

/** Writes times as Go does. */
final class TimeText {
  private static final TimeLayout DEFAULT = TimeLayout.of("2006-01-02 15:04:05.999999999 -0700 MST");
  private static final DateTimeFormatter SHORT_NAME = DateTimeFormatter.ofPattern("zzz", Locale.ENGLISH);

  /** The abbreviations of the time zone database; other zones are shown as their offset. */
  private static final Set<String> ABBREVIATIONS = Set.of("GMT", "BST", "IST", "WET", "WEST", "CET", "CEST", "EET",
      "EEST",
      "MSK", "EST", "EDT", "CST", "CDT", "MST", "MDT", "PST", "PDT", "AKST", "AKDT", "HST", "HDT", "AST", "ADT", "NST",
      "NDT", "JST", "KST", "PKT", "HKT", "WIB", "WITA", "WIT", "SAST", "EAT", "WAT", "CAT", "AEST", "AEDT", "ACST",
      "ACDT",
      "AWST", "NZST", "NZDT", "ChST", "SST", "IDT");

  private TimeText() {}

  static String of(Item.Time time) {
    return of(time, DEFAULT);
  }

  static String of(ZoneId zone) {
    return zone instanceof ZoneOffset offset ? offset.getTotalSeconds() == 0 ? "UTC" : "" : zone.getId();
  }

  /** Writes a duration, month or day of the week. */
  static String of(Item.Whole whole) {
    return switch (whole.type()) {
      case MONTH -> Month.of((int) whole.value()).getDisplayName(TextStyle.FULL, Locale.ENGLISH);
      case WEEKDAY -> DayOfWeek.of((int) (whole.value() + 6) % 7 + 1).getDisplayName(TextStyle.FULL, Locale.ENGLISH);
      case DURATION -> GoDuration.text(whole.value());
      case INT, INT64, INT32, UINT8, UINT64 -> Long.toString(whole.value());
    };
  }

  static String of(Item.Time time, TimeLayout layout) {
    StringBuilder out = new StringBuilder();
    for (TimeLayout.Chunk chunk : layout.chunks()) {
      out.append(of(time, chunk));
    }
    return out.toString();
  }

  private static String of(Item.Time time, TimeLayout.Chunk chunk) {
    ZonedDateTime t = time.value();
    return switch (chunk.field()) {
      case LITERAL -> chunk.text();
      case LONG_YEAR -> (t.getYear() < 0 ? "-" : "") + padded(Math.abs(t.getYear()), 4);
      case YEAR -> padded(Math.max(t.getYear(), 0) % 100, 2);
      case LONG_MONTH -> t.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
      case MONTH -> t.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH).substring(0, 3);
      case NUMBER_MONTH -> Integer.toString(t.getMonthValue());
      case ZERO_MONTH -> padded(t.getMonthValue(), 2);
      case LONG_WEEKDAY -> t.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
      case WEEKDAY -> t.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH).substring(0, 3);
      case DAY -> Integer.toString(t.getDayOfMonth());
      case UNDER_DAY -> " ".repeat(t.getDayOfMonth() < 10 ? 1 : 0) + t.getDayOfMonth();
      case ZERO_DAY -> padded(t.getDayOfMonth(), 2);
      case UNDER_YEAR_DAY -> " ".repeat(3 - Integer.toString(t.getDayOfYear()).length()) + t.getDayOfYear();
      case ZERO_YEAR_DAY -> padded(t.getDayOfYear(), 3);
      case HOUR -> padded(t.getHour(), 2);
      case HOUR_12 -> Integer.toString((t.getHour() + 11) % 12 + 1);
      case ZERO_HOUR_12 -> padded((t.getHour() + 11) % 12 + 1, 2);
      case MINUTE -> Integer.toString(t.getMinute());
      case ZERO_MINUTE -> padded(t.getMinute(), 2);
      case SECOND -> Integer.toString(t.getSecond());
      case ZERO_SECOND -> padded(t.getSecond(), 2);
      case UPPER_HALF -> t.getHour() < 12 ? "AM" : "PM";
      case LOWER_HALF -> t.getHour() < 12 ? "am" : "pm";
      case ZONE_NAME -> zoneName(time);
      case OFFSET -> offset(t.getOffset().getTotalSeconds(), chunk.text());
      case FRACTION -> chunk.text().charAt(0) + fraction(t, chunk.text().length() - 1);
      case TRIMMED_FRACTION -> trimmed(chunk.text().charAt(0) + fraction(t, chunk.text().length() - 1));
    };
  }

  private static String padded(long number, int width) {
    String digits = Long.toString(number);
    return "0".repeat(Math.max(width - digits.length(), 0)) + digits;
  }

  private static String fraction(ZonedDateTime time, int digits) {
    String nanos = padded(time.getNano(), 9);
    return digits <= 9 ? nanos.substring(0, digits) : nanos + "0".repeat(digits - 9);
  }

  private static String trimmed(String fraction) {
    int end = fraction.length();
    while (end > 1 && fraction.charAt(end - 1) == '0') {
      end--;
    }
    return end == 1 ? "" : fraction.substring(0, end);
  }

  static String zoneName(Item.Time time) {
    if (!time.zoneName().isEmpty()) {
      return time.zoneName();
    }
    ZonedDateTime t = time.value();
    int seconds = t.getOffset().getTotalSeconds();
    if (t.getZone() instanceof ZoneOffset) {
      return seconds == 0 ? "UTC" : offset(seconds, "-0700");
    }
    String name = SHORT_NAME.format(t);
    return name.equals("UTC") || ABBREVIATIONS.contains(name) ? name
        : offset(seconds, seconds % 3600 == 0 ? "-07" : "-0700");
  }

  /** @param form of the layout; one with {@code Z} writes that for no offset */
  private static String offset(int seconds, String form) {
    if (form.startsWith("Z") && seconds == 0) {
      return "Z";
    }
    int bare = Math.abs(seconds);
    StringBuilder out = new StringBuilder(seconds < 0 ? "-" : "+").append(padded(bare / 3600, 2));
    String colon = form.contains(":") ? ":" : "";
    int parts = form.replace(":", "").length() / 2;
    if (parts > 1) {
      out.append(colon).append(padded(bare / 60 % 60, 2));
    }
    if (parts > 2) {
      out.append(colon).append(padded(bare % 60, 2));
    }
    return out.toString();
  }
}
