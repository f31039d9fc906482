package portcullis.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The field {@code Date} of the present second (RFC 9110, 6.6.1), made once in it. For any threads. */
final class DateHeader {
  private static final DateTimeFormatter FORM = DateTimeFormatter
      .ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US).withZone(ZoneOffset.UTC);

  private record Made(long second, String value, byte[] line) {}

  private volatile Made made = make(0);

  private static Made make(long second) {
    String value = FORM.format(Instant.ofEpochSecond(second));
    return new Made(second, value, ("Date: " + value + "\r\n").getBytes(ISO_8859_1));
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
