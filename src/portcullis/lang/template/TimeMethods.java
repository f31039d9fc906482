package portcullis.lang.template;

import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Map;
import portcullis.lang.value.GoDuration;
import portcullis.lang.value.ValueException;

/** The methods of times, durations, months, days of the week and zones. */
final class TimeMethods {
  static final Map<String, Function> ALL = new FunctionSet()
      .with("Year", a -> Item.ofInt(value(a).getYear()), Param.TIME)
      .with("Month", a -> new Item.Whole(value(a).getMonthValue(), WholeType.MONTH), Param.TIME)
      .with("Day", a -> Item.ofInt(value(a).getDayOfMonth()), Param.TIME)
      .with("Hour", a -> Item.ofInt(value(a).getHour()), Param.TIME)
      .with("Minute", a -> Item.ofInt(value(a).getMinute()), Param.TIME)
      .with("Second", a -> Item.ofInt(value(a).getSecond()), Param.TIME)
      .with("Nanosecond", a -> Item.ofInt(value(a).getNano()), Param.TIME)
      .with("YearDay", a -> Item.ofInt(value(a).getDayOfYear()), Param.TIME)
      .with("Weekday", a -> new Item.Whole(value(a).getDayOfWeek().getValue() % 7, WholeType.WEEKDAY), Param.TIME)
      .with("Unix", a -> Item.ofInt64(value(a).toEpochSecond()), Param.TIME)
      .with("UnixMilli", a -> Item.ofInt64(unix(a, 1_000)), Param.TIME)
      .with("UnixMicro", a -> Item.ofInt64(unix(a, 1_000_000)), Param.TIME)
      .with("UnixNano", a -> Item.ofInt64(unix(a, 1_000_000_000)), Param.TIME)
      .with("Format", a -> Item.of(TimeText.of(a.time(0), TimeLayout.of(a.text(1)))), Param.TIME, Param.TEXT)
      .with("String", a -> Item.of(TimeText.of(a.time(0))), Param.TIME)
      .with("Add", a -> DateFunctions.plus(a.time(0), a.whole(1)), Param.TIME, Param.DURATION)
      .with("AddDate", TimeMethods::plusDate, Param.TIME, Param.INT, Param.INT, Param.INT)
      .with("Sub", a -> duration(DateFunctions.nanos(Duration.between(a.time(1).value(), value(a)))), Param.TIME,
          Param.TIME)
      .with("Before", a -> Item.of(comparison(a) < 0), Param.TIME, Param.TIME)
      .with("After", a -> Item.of(comparison(a) > 0), Param.TIME, Param.TIME)
      .with("Equal", a -> Item.of(comparison(a) == 0), Param.TIME, Param.TIME)
      .with("Compare", a -> Item.ofInt(Integer.signum(comparison(a))), Param.TIME, Param.TIME)
      .with("IsZero", a -> Item.of(value(a).toEpochSecond() == -62135596800L && value(a).getNano() == 0), Param.TIME)
      .with("IsDST", a -> Item.of(value(a).getZone().getRules().isDaylightSavings(value(a).toInstant())), Param.TIME)
      .with("UTC Local", a -> DateFunctions.at(value(a).toInstant(), ZoneOffset.UTC), Param.TIME)
      .with("In", a -> DateFunctions.at(value(a).toInstant(), ((Item.Zone) a.item(1)).value()), Param.TIME, Param.ZONE)
      .with("Location", a -> new Item.Zone(value(a).getZone()), Param.TIME)
      .with("Truncate", a -> DateFunctions.plus(a.time(0), -rest(a)), Param.TIME, Param.DURATION)
      .with("Round", TimeMethods::rounded, Param.TIME, Param.DURATION)
      .functions();

  static final Map<String, Function> OF_ZONES = new FunctionSet()
      .with("String", a -> Item.of(Printer.single(a.item(0))), Param.ZONE)
      .functions();

  private static final Map<String, Function> OF_NAMES = new FunctionSet()
      .with("String", a -> Item.of(Printer.single(a.item(0))), Param.ANY)
      .functions();

  private static final Map<String, Function> OF_DURATIONS = new FunctionSet()
      .with(OF_NAMES)
      .with("Hours", a -> Item.of((double) a.whole(0) / GoDuration.HOUR), Param.DURATION)
      .with("Minutes", a -> Item.of((double) a.whole(0) / GoDuration.MINUTE), Param.DURATION)
      .with("Seconds", a -> Item.of((double) a.whole(0) / GoDuration.SECOND), Param.DURATION)
      .with("Milliseconds", a -> Item.ofInt64(a.whole(0) / 1_000_000), Param.DURATION)
      .with("Microseconds", a -> Item.ofInt64(a.whole(0) / 1_000), Param.DURATION)
      .with("Nanoseconds", a -> Item.ofInt64(a.whole(0)), Param.DURATION)
      .with("Abs", a -> duration(a.whole(0) == Long.MIN_VALUE ? Long.MAX_VALUE : Math.abs(a.whole(0))), Param.DURATION)
      .with("Truncate", a -> duration(a.whole(1) <= 0 ? a.whole(0) : a.whole(0) - a.whole(0) % a.whole(1)),
          Param.DURATION, Param.DURATION)
      .with("Round", a -> duration(GoDuration.rounded(a.whole(0), a.whole(1))), Param.DURATION, Param.DURATION)
      .functions();

  private TimeMethods() {}

  static Map<String, Function> of(WholeType type) {
    return switch (type) {
      case DURATION -> OF_DURATIONS;
      case MONTH, WEEKDAY -> OF_NAMES;
      case INT, INT64, INT32, UINT8, UINT64 -> Map.of();
    };
  }

  private static ZonedDateTime value(Arguments a) {
    return a.time(0).value();
  }

  private static Item duration(long nanos) {
    return new Item.Whole(nanos, WholeType.DURATION);
  }

  /** Returns the time since 1970 in a unit; it wraps. */
  private static long unix(Arguments a, long perSecond) {
    return value(a).toEpochSecond() * perSecond + value(a).getNano() / (1_000_000_000 / perSecond);
  }

  private static int comparison(Arguments a) {
    return value(a).toInstant().compareTo(a.time(1).value().toInstant());
  }

  /** Adds months; days that a month does not have run over into the next one. */
  private static Item plusDate(Arguments a) throws ValueException {
    ZonedDateTime time = value(a);
    try {
      ZonedDateTime first = time.withDayOfMonth(1).plusYears(a.whole(1)).plusMonths(a.whole(2));
      return new Item.Time(first.plusDays(time.getDayOfMonth() - 1L).plusDays(a.whole(3)), a.time(0).zoneName());
    } catch (DateTimeException | ArithmeticException _) {
      throw new ValueException("the time is out of range");
    }
  }

  /** Returns the remainder of the time since the year 1 divided by the unit. */
  private static long rest(Arguments a) {
    if (a.whole(1) <= 0) {
      return 0;
    }
    BigInteger nanos = BigInteger.valueOf(value(a).toEpochSecond() + 62135596800L)
        .multiply(BigInteger.valueOf(GoDuration.SECOND)).add(BigInteger.valueOf(value(a).getNano()));
    return nanos.mod(BigInteger.valueOf(a.whole(1))).longValue();
  }

  private static Item rounded(Arguments a) throws ValueException {
    long rest = rest(a);
    return DateFunctions.plus(a.time(0), rest >= a.whole(1) - rest && rest > 0 ? a.whole(1) - rest : -rest);
  }
}
