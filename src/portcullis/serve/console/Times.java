package portcullis.serve.console;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import portcullis.lang.markup.Html;

/** Shows points in time, in UTC. */
final class Times {
  private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT)
      .withZone(ZoneOffset.UTC);

  private Times() {}

  static Html shown(Instant at) {
    return Html.of("<time datetime=\"{}\" class=\"nowrap\">{} UTC</time>", at, FORMAT.format(at));
  }

  /** Returns how long something lasts in its two largest units, as {@code 3 d 4 h}. */
  static String text(Duration time) {
    if (time.toDays() > 0) {
      return time.toDays() + " d " + time.toHoursPart() + " h";
    }
    return time.toHours() > 0 ? time.toHours() + " h " + time.toMinutesPart() + " min"
        : time.toMinutes() + " min " + time.toSecondsPart() + " s";
  }
}
