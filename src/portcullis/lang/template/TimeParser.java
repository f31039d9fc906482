package portcullis.lang.template;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneOffset;
import java.time.format.TextStyle;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import portcullis.lang.value.ValueException;

/** Parses a time by a layout, as Go does; what says no zone is UTC. For one use. */
final class TimeParser {
  private static final List<String> MONTHS = Stream.of(Month.values())
      .map(m -> m.getDisplayName(TextStyle.FULL, Locale.ENGLISH)).toList();
  private static final List<String> DAYS = List.of("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday",
      "Saturday");
  private static final int UNKNOWN = -1;

  private final String text;
  private final List<TimeLayout.Chunk> chunks;
  private int at;
  private int year;
  private int month = UNKNOWN;
  private int day = UNKNOWN;
  private int yearDay = UNKNOWN;
  private int hour;
  private int minute;
  private int second;
  private int nanos;
  private Optional<Boolean> afternoon = Optional.empty();
  private Optional<Integer> offset = Optional.empty();
  private String zoneName = "";

  private TimeParser(String text, TimeLayout layout) {
    this.text = text;
    this.chunks = layout.chunks();
  }

  static Item.Time time(String layout, String text) throws ValueException {
    return new TimeParser(text, TimeLayout.of(layout)).read();
  }

  private Item.Time read() throws ValueException {
    for (int i = 0; i < chunks.size(); i++) {
      read(chunks.get(i), i + 1 < chunks.size() && chunks.get(i + 1).field() != TimeLayout.Field.FRACTION
          && chunks.get(i + 1).field() != TimeLayout.Field.TRIMMED_FRACTION);
    }
    if (at < text.length()) {
      throw new ValueException("the time has extra characters after its layout");
    }
    return result();
  }

  private void read(TimeLayout.Chunk chunk, boolean fractionMayFollow) throws ValueException {
    switch (chunk.field()) {
      case LITERAL -> skip(chunk.text());
      case LONG_YEAR -> year = digits(4, 4);
      case YEAR -> {
        int two = digits(2, 2);
        year = two >= 69 ? two + 1900 : two + 2000;
      }
      case LONG_MONTH -> month = named(MONTHS, 9) + 1;
      case MONTH -> month = named(MONTHS, 3) + 1;
      case NUMBER_MONTH -> month = between(1, digits(1, 2), 12, "month");
      case ZERO_MONTH -> month = between(1, digits(2, 2), 12, "month");
      case LONG_WEEKDAY -> named(DAYS, 9);
      case WEEKDAY -> named(DAYS, 3);
      case DAY -> day = digits(1, 2);
      case UNDER_DAY -> {
        skipBlanks(1);
        day = digits(1, 2);
      }
      case ZERO_DAY -> day = digits(2, 2);
      case UNDER_YEAR_DAY -> {
        skipBlanks(2);
        yearDay = digits(1, 3);
      }
      case ZERO_YEAR_DAY -> yearDay = digits(3, 3);
      case HOUR -> hour = between(0, digits(1, 2), 23, "hour");
      case HOUR_12 -> hour = between(0, digits(1, 2), 12, "hour");
      case ZERO_HOUR_12 -> hour = between(0, digits(2, 2), 12, "hour");
      case MINUTE -> minute = between(0, digits(1, 2), 59, "minute");
      case ZERO_MINUTE -> minute = between(0, digits(2, 2), 59, "minute");
      case SECOND -> second(digits(1, 2), fractionMayFollow);
      case ZERO_SECOND -> second(digits(2, 2), fractionMayFollow);
      case UPPER_HALF -> afternoon = Optional.of(half("AM", "PM"));
      case LOWER_HALF -> afternoon = Optional.of(half("am", "pm"));
      case ZONE_NAME -> zoneName();
      case OFFSET -> offset(chunk.text());
      case FRACTION -> fraction(chunk.text().length() - 1);
      case TRIMMED_FRACTION -> anyFraction();
    }
  }

  private ValueException error() {
    return new ValueException("the time does not match its layout at character " + (at + 1));
  }

  private static int between(int least, int number, int most, String what) throws ValueException {
    if (number < least || number > most) {
      throw new ValueException("the " + what + " of the time is out of range");
    }
    return number;
  }

  private boolean isDigit(int index) {
    return index < text.length() && text.charAt(index) >= '0' && text.charAt(index) <= '9';
  }

  private int digits(int least, int most) throws ValueException {
    int end = at;
    while (end < at + most && isDigit(end)) {
      end++;
    }
    if (end < at + least) {
      throw error();
    }
    int number = Integer.parseInt(text, at, end, 10);
    at = end;
    return number;
  }

  /** Skips a literal; one blank of the layout matches any number of blanks. */
  private void skip(String literal) throws ValueException {
    int i = 0;
    while (i < literal.length()) {
      boolean blank = literal.charAt(i) == ' ';
      if (blank ? at < text.length() && text.charAt(at) != ' '
          : at >= text.length() || text.charAt(at) != literal.charAt(i)) {
        throw error();
      }
      i++;
      at += blank ? 0 : 1;
      while (blank && i < literal.length() && literal.charAt(i) == ' ') {
        i++;
      }
      skipBlanks(blank ? text.length() : 0);
    }
  }

  private void skipBlanks(int most) {
    for (int i = 0; i < most && at < text.length() && text.charAt(at) == ' '; i++) {
      at++;
    }
  }

  private int named(List<String> names, int length) throws ValueException {
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i).substring(0, Math.min(length, names.get(i).length()));
      if (text.regionMatches(true, at, name, 0, name.length())) {
        at += name.length();
        return i;
      }
    }
    throw error();
  }

  private void second(int number, boolean fractionMayFollow) throws ValueException {
    second = between(0, number, 59, "second");
    if (fractionMayFollow) {
      anyFraction();
    }
  }

  private boolean atFraction() {
    return at < text.length() && (text.charAt(at) == '.' || text.charAt(at) == ',') && isDigit(at + 1);
  }

  private void anyFraction() throws ValueException {
    if (atFraction()) {
      int end = at + 1;
      while (isDigit(end)) {
        end++;
      }
      fraction(end - at - 1);
    }
  }

  private void fraction(int count) throws ValueException {
    if (!atFraction() || !IntStream.range(at + 1, at + 1 + count).allMatch(this::isDigit)) {
      throw error();
    }
    String digits = text.substring(at + 1, at + 1 + Math.min(count, 9));
    nanos = Integer.parseInt(digits + "0".repeat(9 - digits.length()));
    at += count + 1;
  }

  private boolean half(String morning, String evening) throws ValueException {
    boolean late = text.startsWith(evening, at);
    if (!late && !text.startsWith(morning, at)) {
      throw error();
    }
    at += 2;
    return late;
  }

  private void zoneName() throws ValueException {
    if (text.startsWith("UTC", at)) {
      offset = Optional.of(0);
      at += 3;
      return;
    }
    int length = ZoneNames.length(text.substring(at));
    if (length == 0) {
      throw error();
    }
    zoneName = text.substring(at, at + length);
    at += length;
  }

  private void offset(String form) throws ValueException {
    if (form.startsWith("Z") && text.startsWith("Z", at)) {
      offset = Optional.of(0);
      at++;
      return;
    }
    char sign = at < text.length() ? text.charAt(at++) : ' ';
    if (sign != '+' && sign != '-') {
      throw error();
    }
    int seconds = 0;
    int parts = form.replace(":", "").length() / 2;
    for (int i = 0; i < parts; i++) {
      if (i > 0 && form.contains(":")) {
        skip(":");
      }
      seconds += between(0, digits(2, 2), i == 0 ? 24 : 60, "offset") * (i == 0 ? 3600 : i == 1 ? 60 : 1);
    }
    offset = Optional.of(sign == '-' ? -seconds : seconds);
  }

  private Item.Time result() throws ValueException {
    try {
      LocalTime time = LocalTime.of(hourOfDay(), minute, second, nanos);
      LocalDateTime local = LocalDateTime.of(date(), time);
      int seconds = offset.orElse(ZoneNames.offset(zoneName));
      return new Item.Time(local.atZone(ZoneOffset.ofTotalSeconds(seconds)), zoneName);
    } catch (DateTimeException _) {
      throw new ValueException("the day of the time is out of range");
    }
  }

  private int hourOfDay() {
    boolean late = afternoon.orElse(false);
    return late && hour < 12 ? hour + 12 : afternoon.isPresent() && !late && hour == 12 ? 0 : hour;
  }

  private LocalDate date() {
    if (yearDay == UNKNOWN) {
      return LocalDate.of(year, month == UNKNOWN ? 1 : month, day == UNKNOWN ? 1 : day);
    }
    LocalDate date = LocalDate.ofYearDay(year, yearDay);
    if (month != UNKNOWN && month != date.getMonthValue() || day != UNKNOWN && day != date.getDayOfMonth()) {
      throw new DateTimeException("the day of the year is another one");
    }
    return date;
  }
}
