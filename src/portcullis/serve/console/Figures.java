package portcullis.serve.console;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import portcullis.lang.markup.Html;

/** Numbers and times as pages show them. */
final class Figures {
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT)
      .withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
      .withZone(ZoneOffset.UTC);

  private Figures() {}

  /** Returns a count, which programs can read too. */
  static Html count(long number) {
    return Html.of("<data value=\"{}\">{}</data>", number, "%,d".formatted(number));
  }

  /** Returns a number per second. */
  static String rate(double perSecond) {
    return perSecond == 0 ? "0"
        : perSecond < 0.01 ? "< 0.01" : format(perSecond < 1 ? "%.2f" : perSecond < 100 ? "%.1f" : "%,.0f", perSecond);
  }

  /** Returns a duration in seconds with a unit; a dash where there is none. */
  static String duration(double seconds) {
    if (Double.isNaN(seconds)) {
      return "–";
    }
    return seconds < 1e-3 ? format("%.0f µs", seconds * 1e6)
        : seconds < 1 ? format(seconds < 1e-2 ? "%.1f ms" : "%.0f ms", seconds * 1e3) : format("%.2f s", seconds);
  }

  static String share(long part, long whole) {
    return whole == 0 ? "–" : format("%.1f %%", 100.0 * part / whole);
  }

  private static String format(String form, double value) {
    return String.format(Locale.ROOT, form, value);
  }

  /** Returns a time of day. */
  static Html clock(Instant at) {
    return Html.of("<time datetime=\"{}\">{}</time>", at, CLOCK.format(at));
  }

  static Html date(Instant at) {
    return Html.of("<time datetime=\"{}\">{}</time>", at, DATE.format(at));
  }
}
