package portcullis.lang.template;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.zone.ZoneRulesProvider;
import java.util.Map;
import portcullis.lang.value.GoDuration;
import portcullis.lang.value.ValueException;

/** sprig's functions for times; the local zone is UTC. */
final class DateFunctions {
  private static final ZoneId LOCAL = ZoneOffset.UTC;
  private static final String DAY = "2006-01-02";
  private static final Item.Time ZERO = new Item.Time(ZonedDateTime.of(1, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC));

  static final Map<String, Function> ALL = new FunctionSet()
      .with("now", a -> at(a.rendering().now(), LOCAL))
      .with("date", a -> formatted(a.text(0), moment(a, 1), LOCAL), Param.TEXT, Param.ANY)
      .with("dateInZone date_in_zone", a -> formatted(a.text(0), moment(a, 1), zone(a.text(2))), Param.TEXT, Param.ANY,
          Param.TEXT)
      .with("htmlDate", a -> formatted(DAY, moment(a, 0), LOCAL), Param.ANY)
      .with("htmlDateInZone", a -> formatted(DAY, moment(a, 0), zone(a.text(1))), Param.ANY, Param.TEXT)
      .with("toDate", DateFunctions::readLeniently, Param.TEXT, Param.TEXT)
      .with("mustToDate", a -> TimeParser.time(a.text(0), a.text(1)), Param.TEXT, Param.TEXT)
      .with("unixEpoch", a -> Item.of(Long.toString(a.time(0).value().toEpochSecond())), Param.TIME)
      .with("dateModify date_modify", a -> plus(a.time(1), GoDuration.parse(a.text(0)).orElse(0L)), Param.TEXT,
          Param.TIME)
      .with("mustDateModify must_date_modify", a -> plus(a.time(1), GoDuration.parse(a.text(0))
          .orElseThrow(() -> new ValueException("invalid duration, write it as `1h30m`"))), Param.TEXT, Param.TIME)
      .with("ago", a -> Item.of(GoDuration.text(GoDuration.rounded(since(a, moment(a, 0)), GoDuration.SECOND))),
          Param.ANY)
      .with("duration", a -> Item.of(GoDuration.text(seconds(a.item(0)) * GoDuration.SECOND)), Param.ANY)
      .with("durationRound", a -> Item.of(rounded(duration(a))), Param.ANY)
      .functions();

  private DateFunctions() {}

  static Item.Time at(Instant moment, ZoneId zone) throws ValueException {
    try {
      return new Item.Time(moment.atZone(zone));
    } catch (DateTimeException _) {
      throw new ValueException("the time is out of range");
    }
  }

  static Item.Time plus(Item.Time time, long nanos) throws ValueException {
    try {
      return new Item.Time(time.value().plusNanos(nanos), time.zoneName());
    } catch (DateTimeException _) {
      throw new ValueException("the time is out of range");
    }
  }

  /** Reads a time, or seconds since 1970 as int or int64; anything else, as a number of the data, is now. */
  private static Instant moment(Arguments a, int index) throws ValueException {
    return switch (a.item(index)) {
      case Item.Time time -> time.value().toInstant();
      case Item.Whole whole when whole.type() == WholeType.INT || whole.type() == WholeType.INT64 ->
        ofSeconds(whole.value());
      default -> a.rendering().now();
    };
  }

  static Instant ofSeconds(long seconds) throws ValueException {
    try {
      return Instant.ofEpochSecond(seconds);
    } catch (DateTimeException _) {
      throw new ValueException("the time is out of range");
    }
  }

  private static Item formatted(String layout, Instant moment, ZoneId zone) throws ValueException {
    return Item.of(TimeText.of(at(moment, zone), TimeLayout.of(layout)));
  }

  /** Finds a zone of the time zone database; any other name is UTC. */
  private static ZoneId zone(String name) {
    return ZoneRulesProvider.getAvailableZoneIds().contains(name) && !name.equals("UTC") ? ZoneId.of(name) : LOCAL;
  }

  private static Item readLeniently(Arguments a) {
    try {
      return TimeParser.time(a.text(0), a.text(1));
    } catch (ValueException _) {
      return ZERO;
    }
  }

  private static long since(Arguments a, Instant moment) {
    return nanos(Duration.between(moment, a.rendering().now()));
  }

  /** Saturates beyond 292 years. */
  static long nanos(Duration duration) {
    try {
      return duration.toNanos();
    } catch (ArithmeticException _) {
      return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }

  private static long seconds(Item item) {
    return switch (item) {
      case Item.Whole whole when whole.type() == WholeType.INT64 -> whole.value();
      case Item.Text(String text) ->
        NumberText.decimal(text).filter(NumberText::fits64).map(n -> n.longValue()).orElse(0L);
      default -> 0;
    };
  }

  private static long duration(Arguments a) {
    return switch (a.item(0)) {
      case Item.Text(String text) -> GoDuration.parse(text).orElse(0L);
      case Item.Whole whole when whole.type() == WholeType.INT64 -> whole.value();
      case Item.Time time -> since(a, time.value().toInstant());
      default -> 0;
    };
  }

  /** Returns the largest unit only, as {@code 3mo}, {@code 2d}. */
  private static String rounded(long nanos) {
    long bare = nanos < 0 ? -nanos : nanos;
    long day = 24 * GoDuration.HOUR;
    long[] units = {365 * day, 30 * day, day, GoDuration.HOUR, GoDuration.MINUTE, GoDuration.SECOND};
    String[] names = {"y", "mo", "d", "h", "m", "s"};
    for (int i = 0; i < units.length; i++) {
      if (Long.compareUnsigned(bare, units[i]) > 0) {
        return Long.divideUnsigned(bare, units[i]) + names[i];
      }
    }
    return "0s";
  }
}
