package portcullis.verify;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import portcullis.observe.decisions.ChainLine;

/**
 * A line of a file that is verified.
 *
 * @param at the file and the number of the line in it, for messages
 * @param bytes without the line end
 * @param place empty if it is not a line of a chain, or not as it was written
 * @param torn whether it is the last of its file and has no line end
 * @param writtenAt what it has as its time; empty if it has none
 * @param isEvent whether it is about the service, not about a request
 * @param lost how many lines it says that are missing
 * @param before how a file was found, if the line is the first one of a start or behind an interference
 * @param tornBytes how long the incomplete line was that a start has removed; 0 if the line does not say that
 */
record AuditLine(String at, byte[] bytes, Optional<ChainLine> place, boolean torn, Optional<String> writtenAt,
    boolean isEvent, long lost, Optional<String> before, long tornBytes) {
  private static final int LONGEST_HEAD = 400;
  private static final Pattern HEAD = Pattern.compile("\\{\"chain\":\"[0-9a-f]{16}\",\"seq\":[0-9]{1,18},"
      + "\"prev\":\"[0-9a-f]{64}\",\"time\":\"([^\"]{1,40})\",(?:\"event\":\"([^\"]{0,100})|\"lost\":([0-9]{1,18}),)?");
  /** A start names a file, with at most 255 bytes that are escaped with six each. */
  private static final int LONGEST_START = 4000;
  /** What follows the name of the event. */
  private static final Pattern START = Pattern.compile("\",\"by\":\"program\",(?:\"torn_bytes\":([0-9]{1,18}),[^{}]*)?"
      + "(?:\"line_end\":\"added\",)?\"before\":\"([a-z_]+)\",(?:[^{}\"]|\"(?:[^\"\\\\]|\\\\.)*+\")*+}");
  private static final Map<String, String> INTERFERENCES = Map.of("removed", "was removed or renamed", "replaced",
      "was replaced", "cut", "was cut off", "extended", "had something added, which was removed", "not_a_chain",
      "did not end with a line of an audit chain");

  static AuditLine of(String at, byte[] bytes, boolean torn) {
    Optional<ChainLine> place = ChainLine.of(bytes);
    Matcher head = HEAD.matcher(text(bytes, LONGEST_HEAD));
    if (!head.lookingAt()) {
      return new AuditLine(at, bytes, place, torn, Optional.empty(), false, 0, Optional.empty(), 0);
    }
    Optional<String> event = Optional.ofNullable(head.group(2));
    Optional<Matcher> start = event.filter(kind -> kind.equals("chain") && bytes.length <= LONGEST_START)
        .map(_ -> START.matcher(text(bytes, LONGEST_START)).region(head.end(), bytes.length))
        .filter(Matcher::matches);
    return new AuditLine(at, bytes, place, torn, Optional.of(head.group(1)), event.isPresent(), number(head, 3),
        start.map(one -> one.group(2)), start.map(one -> number(one, 1)).orElse(0L));
  }

  private static String text(byte[] bytes, int most) {
    return new String(bytes, 0, Math.min(bytes.length, most), StandardCharsets.ISO_8859_1);
  }

  private static long number(Matcher matcher, int group) {
    return matcher.group(group) == null ? 0 : Long.parseLong(matcher.group(group));
  }

  /** Returns whether it says that another program had taken away what was written before. */
  boolean isAfterInterference() {
    return before.filter(Set.of("removed", "replaced", "cut")::contains).isPresent();
  }

  /** Returns what the line says that another program had done to the file. */
  Optional<String> interference() {
    return before.map(INTERFERENCES::get);
  }

  /** Returns whether it ends with CR LF and is a line of a chain besides. */
  boolean isConverted() {
    return place.isEmpty() && bytes.length > 0 && bytes[bytes.length - 1] == '\r'
        && ChainLine.of(Arrays.copyOf(bytes, bytes.length - 1)).isPresent();
  }

  /** Returns the time of the line; empty if it has none. */
  Optional<Instant> time() {
    try {
      return writtenAt.map(Instant::parse);
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }

  /** Returns whether it is as it was written, and follows the other directly. */
  boolean follows(ChainLine before) {
    return place.filter(line -> line.follows(before)).isPresent();
  }
}
