package portcullis.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** The field {@code Date} of the present second (RFC 9110, 6.6.1), made once in it. For any threads. */
final class DateHeader {
  private static final String[] DAYS = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
  private static final String[] MONTHS = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov",
    "Dec"};

  private record Made(long second, String value, byte[] line) {}

  private volatile Made made = make(0);

  private static Made make(long second) {
    String value = text(second);
    return new Made(second, value, ("Date: " + value + "\r\n").getBytes(ISO_8859_1));
  }

  /**
   * Returns {@code Sun, 06 Nov 1994 08:49:37 GMT}. It takes no formatter of the JDK: the first one reads the names of
   * days and months from the data of locales, which takes 10 ms of a start.
   */
  static String text(long second) {
    LocalDateTime time = LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC);
    StringBuilder out = new StringBuilder(29).append(DAYS[time.getDayOfWeek().ordinal()]).append(", ");
    digits(out, time.getDayOfMonth()).append(' ').append(MONTHS[time.getMonth().ordinal()]).append(' ');
    digits(digits(out, time.getYear() / 100), time.getYear() % 100).append(' ');
    digits(out, time.getHour()).append(':');
    digits(out, time.getMinute()).append(':');
    return digits(out, time.getSecond()).append(" GMT").toString();
  }

  private static StringBuilder digits(StringBuilder out, int number) {
    return out.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
  }

  private Made now() {
    long second = System.currentTimeMillis() / 1000;
    Made last = made;
    if (last.second != second) {
      last = make(second);
      made = last;
    }
    return last;
  }

  /** Returns the header as a line of HTTP/1; callers must not change the array. */
  byte[] line() {
    return now().line;
  }

  String value() {
    return now().value;
  }
}
