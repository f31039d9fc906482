package portcullis.http.message;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A way in which common upstreams read a request other than it is written. */
public enum Reading {
  /** {@code %2F} is a slash. */
  SLASHES("encoded slashes as slashes"),
  /** {@code %5C} is a slash. */
  BACKSLASHES("encoded backslashes as slashes"),
  /** {@code %3B} is a semicolon. */
  SEMICOLONS("encoded semicolons as semicolons"),
  /** What follows a semicolon in a segment is not part of its name (RFC 3986, 3.3). */
  PARAMETERS("path parameters removed"),
  /**
   * Dots and white space at the end of a segment are not part of its name, as on Windows; the {@code $} of regular
   * expressions matches before a line feed at the end, as in nginx.
   */
  TRAILING_DOT("trailing dots removed"),
  /** A slash at the end makes no difference. */
  TRAILING_SLASH("trailing slash ignored"),
  /** Upper case and lower case are the same. */
  CASE("letter case ignored"),
  /** The port of {@code Host} makes no difference. */
  PORT("port of the host ignored");

  private final String text;

  Reading(String text) {
    this.text = text;
  }

  /** Returns the bit of this reading in a set that is a number. */
  public int bit() {
    return 1 << ordinal();
  }

  /** Returns the readings of a number whose bits say which. */
  public static Set<Reading> of(int bits) {
    Set<Reading> out = EnumSet.noneOf(Reading.class);
    List.of(values()).stream().filter(reading -> (bits & reading.bit()) != 0).forEach(out::add);
    return out;
  }

  /** Names them in a log line, as {@code path parameters removed, letter case ignored}. */
  public static String text(Set<Reading> readings) {
    return readings.stream().map(reading -> reading.text).collect(Collectors.joining(", "));
  }
}
