package portcullis.lang.template;

import java.time.Instant;
import java.util.Optional;
import portcullis.lang.value.ValueFault;

/** Times in the layouts of Go, for texts that are no templates. */
public final class GoTime {
  private GoTime() {}

  /**
   * The time that the text says; empty where it says none.
   *
   * @param layout the reference time as the text would say it, as {@code 2006-01-02T15:04:05Z07:00}
   */
  public static Optional<Instant> parse(String layout, String text) {
    try {
      return Optional.of(TimeParser.time(layout, text).value().toInstant());
    } catch (ValueFault _) {
      return Optional.empty();
    }
  }
}
