package portcullis.lang.template;

import java.time.Instant;
import java.util.Optional;
import portcullis.lang.value.ValueException;

/** Parses times in Go's layouts, for users other than templates. */
public final class GoTime {
  private GoTime() {}

  /**
   * Parses a time; returns an empty optional where the string does not match the layout.
   *
   * @param layout the reference time in the format of the string, as {@code 2006-01-02T15:04:05Z07:00}
   */
  public static Optional<Instant> parse(String layout, String text) {
    try {
      return Optional.of(TimeParser.time(layout, text).value().toInstant());
    } catch (ValueException _) {
      return Optional.empty();
    }
  }
}
