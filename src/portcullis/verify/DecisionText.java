package portcullis.verify;

import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Writes what is known of a decision for people: short paths and times, the log has all of them. */
public final class DecisionText {
  private DecisionText() {}

  /** Returns a text whose files in parentheses are relative to the working folder, where they are in it. */
  public static String places(String text) {
    return places(text, Path.of("").toAbsolutePath());
  }

  static String places(String text, Path here) {
    String folder = here.getNameCount() == 0 ? here.toString() : here + "/";
    return text.replace("(" + folder, "(");
  }

  /** Returns a time in whole seconds; any other text as it is. */
  public static String time(String text) {
    try {
      return Instant.parse(text).truncatedTo(ChronoUnit.SECONDS).toString();
    } catch (DateTimeException _) {
      return text;
    }
  }
}
