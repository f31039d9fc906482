package portcullis.lang.template;

import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Map;
import portcullis.lang.value.GoDuration;
import portcullis.lang.value.ValueFault;

/** What can be asked of times, durations, months, days of the week and zones. */
final class TimeMethods {
  static final Map<String, Function> ALL = new FunctionSet()
      .with("Year", a -> Item.ofInt(value(a).getYear()), Slot.TIME)
      .with("Month", a -> new Item.Whole(value(a).getMonthValue(), WholeType.MONTH), Slot.TIME)
      .with("Day", a -> Item.ofInt(value(a).getDayOfMonth()), Slot.TIME)
      .with("Hour", a -> Item.ofInt(value(a).getHour()), Slot.TIME)
      .with("Minute", a -> Item.ofInt(value(a).getMinute()), Slot.TIME)
      .with("Second", a -> Item.ofInt(value(a).getSecond()), Slot.TIME)
      .with("Nanosecond", a -> Item.ofInt(value(a).getNano()), Slot.TIME)
      .with("YearDay", a -> Item.ofInt(value(a).getDayOfYear()), Slot.TIME)
      .with("Weekday", a -> new Item.Whole(value(a).getDayOfWeek().getValue() % 7, WholeType.WEEKDAY), Slot.TIME)
      .with("Unix", a -> Item.ofInt64(value(a).toEpochSecond()), Slot.TIME)
      .with("UnixMilli", a -> Item.ofInt64(unix(a, 1_000)), Slot.TIME)
      .with("UnixMicro", a -> Item.ofInt64(unix(a, 1_000_000)), Slot.TIME)
      .with("UnixNano", a -> Item.ofInt64(unix(a, 1_000_000_000)), Slot.TIME)
      .with("Format", a -> Item.of(TimeText.of(a.time(0), TimeLayout.of(a.text(1)))), Slot.TIME, Slot.TEXT)
      .with("String", a -> Item.of(TimeText.of(a.time(0))), Slot.TIME)
      .with("Add", a -> DateFunctions.plus(a.time(0), a.whole(1)), Slot.TIME, Slot.DURATION)
      .with("AddDate", TimeMethods::plusDate, Slot.TIME, Slot.INT, Slot.INT, Slot.INT)
      .with("Sub", a -> duration(DateFunctions.nanos(Duration.between(a.time(1).value(), value(a)))), Slot.TIME,
          Slot.TIME)
      .with("Before", a -> Item.of(comparison(a) < 0), Slot.TIME, Slot.TIME)
      .with("After", a -> Item.of(comparison(a) > 0), Slot.TIME, Slot.TIME)
      .with("Equal", a -> Item.of(comparison(a) == 0), Slot.TIME, Slot.TIME)
      .with("Compare", a -> Item.ofInt(Integer.signum(comparison(a))), Slot.TIME, Slot.TIME)
      .with("IsZero", a -> Item.of(value(a).toEpochSecond() == -62135596800L && value(a).getNano() == 0), Slot.TIME)
      .with("IsDST", a -> Item.of(value(a).getZone().getRules().isDaylightSavings(value(a).toInstant())), Slot.TIME)
      .with("UTC Local", a -> DateFunctions.at(value(a).toInstant(), ZoneOffset.UTC), Slot.TIME)
      .with("In", a -> DateFunctions.at(value(a).toInstant(), ((Item.Zone) a.item(1)).value()), Slot.TIME, Slot.ZONE)
      .with("Location", a -> new Item.Zone(value(a).getZone()), Slot.TIME)
      .with("Truncate", a -> DateFunctions.plus(a.time(0), -rest(a)), Slot.TIME, Slot.DURATION)
      .with("Round", TimeMethods::rounded, Slot.TIME, Slot.DURATION)
      .functions();

  static final Map<String, Function> OF_ZONES = new FunctionSet()
      .with("String", a -> Item.of(Printer.single(a.item(0))), Slot.ZONE)
      .functions();

  private static final Map<String, Function> OF_NAMES = new FunctionSet()
      .with("String", a -> Item.of(Printer.single(a.item(0))), Slot.ANY)
      .functions();

  private static final Map<String, Function> OF_DURATIONS = new FunctionSet()
      .with(OF_NAMES)
      .with("Hours", a -> Item.of((double) a.whole(0) / GoDuration.HOUR), Slot.DURATION)
      .with("Minutes", a -> Item.of((double) a.whole(0) / GoDuration.MINUTE), Slot.DURATION)
      .with("Seconds", a -> Item.of((double) a.whole(0) / GoDuration.SECOND), Slot.DURATION)
      .with("Milliseconds", a -> Item.ofInt64(a.whole(0) / 1_000_000), Slot.DURATION)
      .with("Microseconds", a -> Item.ofInt64(a.whole(0) / 1_000), Slot.DURATION)
      .with("Nanoseconds", a -> Item.ofInt64(a.whole(0)), Slot.DURATION)
      .with("Abs", a -> duration(a.whole(0) == Long.MIN_VALUE ? Long.MAX_VALUE : Math.abs(a.whole(0))), Slot.DURATION)
      .with("Truncate", a -> duration(a.whole(1) <= 0 ? a.whole(0) : a.whole(0) - a.whole(0) % a.whole(1)),
          Slot.DURATION, Slot.DURATION)
      .with("Round", a -> duration(GoDuration.rounded(a.whole(0), a.whole(1))), Slot.DURATION, Slot.DURATION)
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

  /** The time since 1970 in parts of a second; it wraps. */
  private static long unix(Arguments a, long perSecond) {
    return value(a).toEpochSecond() * perSecond + value(a).getNano() / (1_000_000_000 / perSecond);
  }

  private static int comparison(Arguments a) {
    return value(a).toInstant().compareTo(a.time(1).value().toInstant());
  }

  /** Days that a month does not have run over into the next one. */
  private static Item plusDate(Arguments a) throws ValueFault {
    ZonedDateTime time = value(a);
    try {
      ZonedDateTime first = time.withDayOfMonth(1).plusYears(a.whole(1)).plusMonths(a.whole(2));
      return new Item.Time(first.plusDays(time.getDayOfMonth() - 1L).plusDays(a.whole(3)), a.time(0).zoneName());
    } catch (DateTimeException | ArithmeticException _) {
      throw new ValueFault("the time is out of range");
    }
  }

  /** What is more than a multiple of the unit since the year 1. */
  private static long rest(Arguments a) {
    if (a.whole(1) <= 0) {
      return 0;
    }
    BigInteger nanos = BigInteger.valueOf(value(a).toEpochSecond() + 62135596800L)
        .multiply(BigInteger.valueOf(GoDuration.SECOND)).add(BigInteger.valueOf(value(a).getNano()));
    return nanos.mod(BigInteger.valueOf(a.whole(1))).longValue();
  }

  private static Item rounded(Arguments a) throws ValueFault {
    long rest = rest(a);
    return DateFunctions.plus(a.time(0), rest >= a.whole(1) - rest && rest > 0 ? a.whole(1) - rest : -rest);
  }
}
