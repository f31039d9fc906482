package portcullis.observe.decisions;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

/**
 * When a checkpoint of an audit chain is due; immutable.
 *
 * @param every after so many lines
 * @param interval after the first line without one
 */
public record CheckpointPace(long every, Duration interval) {
  /** A request that began longer before its line is confirmed at once, so that times show lines that were added. */
  private static final Duration FAR = Duration.ofMinutes(10);
  private static final int BEFORE_TIME = "{\"time\":\"".length();
  private static final int SECONDS = "2026-01-02T03:04:05".length();

  /** Returns whether lines are to be confirmed before others, also where the clock was set back. */
  boolean isOver(Instant since, Instant now) {
    return now.isBefore(since) || now.isAfter(since.plus(interval));
  }

  /** Returns how far the times of lines behind a checkpoint can be from each other, where their process was killed. */
  public static Duration span(Duration interval) {
    return interval.plus(FAR.multipliedBy(2)).plusSeconds(2); // times are compared in whole seconds
  }

  static Near near(Instant now) {
    return new Near(seconds(now.minus(FAR)), seconds(now.plus(FAR)));
  }

  private static byte[] seconds(Instant time) {
    return time.toString().substring(0, SECONDS).getBytes(StandardCharsets.US_ASCII);
  }

  /** The times that are near another one; compared as text, as each line has one. */
  record Near(byte[] first, byte[] last) {
    /** Returns whether the time of a line is; those of lines that do not begin with one are. */
    boolean has(byte[] line, int from, int end) {
      int at = from + BEFORE_TIME;
      return end - at < SECONDS || line[at] < '0' || line[at] > '9'
          || compare(line, at, first) >= 0 && compare(line, at, last) <= 0;
    }

    private static int compare(byte[] line, int at, byte[] other) {
      for (int i = 0; i < SECONDS; i++) {
        if (line[at + i] != other[i]) {
          return line[at + i] - other[i];
        }
      }
      return 0;
    }
  }
}
