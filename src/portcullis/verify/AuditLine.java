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
 */
record AuditLine(String at, byte[] bytes, Optional<ChainLine> place, boolean torn) {
  private static final int LONGEST_EVENT = 1000;
  private static final Pattern START = Pattern.compile(
      "\\{\"chain\":[^{}]*,\"event\":\"chain\",\"by\":\"program\",(?:\"torn_bytes\":([0-9]{1,18}),[^{}]*)?(?:\"line_end\":\"added\",)?\"before\":\"([a-z_]+)\",[^{}]*}");
  private static final int LONGEST_HEAD = 400;
  private static final Pattern HEAD = Pattern.compile("\\{\"chain\":\"[0-9a-f]{16}\",\"seq\":[0-9]{1,18},"
      + "\"prev\":\"[0-9a-f]{64}\",\"time\":\"([^\"]{1,40})\",(?:(\"event\":\")|\"lost\":([0-9]{1,18}),)?");
  private static final Map<String, String> INTERFERENCES = Map.of("removed", "was removed or renamed", "replaced",
      "was replaced", "cut", "was cut off", "extended", "had something added, which was removed", "not_a_chain",
      "did not end with a line of an audit chain");

  /** Returns whether it says that another program had taken away what was written before. */
  boolean isAfterInterference() {
    return before().filter(Set.of("removed", "replaced", "cut")::contains).isPresent();
  }

  /** Returns what the line says that another program had done to the file. */
  Optional<String> interference() {
    return before().map(INTERFERENCES::get);
  }

  /** Returns whether it ends with CR LF and is a line of a chain besides. */
  boolean isConverted() {
    return place.isEmpty() && bytes.length > 0 && bytes[bytes.length - 1] == '\r'
        && ChainLine.of(Arrays.copyOf(bytes, bytes.length - 1)).isPresent();
  }

  private Matcher head() {
    return HEAD.matcher(new String(bytes, 0, Math.min(bytes.length, LONGEST_HEAD), StandardCharsets.ISO_8859_1));
  }

  /** Returns the time of the line; empty if it has none. */
  Optional<Instant> time() {
    Matcher head = head();
    try {
      return head.lookingAt() ? Optional.of(Instant.parse(head.group(1))) : Optional.empty();
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }

  /** Returns whether it is about the service, not about a request. */
  boolean isEvent() {
    Matcher head = head();
    return head.lookingAt() && head.group(2) != null;
  }

  /** Returns how many lines it says that are missing. */
  long lost() {
    Matcher head = head();
    return head.lookingAt() && head.group(3) != null ? Long.parseLong(head.group(3)) : 0;
  }

  /** Returns how long the incomplete line was that a start has removed; 0 if the line does not say that. */
  long tornBytes() {
    Matcher start = start();
    return start.matches() && start.group(1) != null ? Long.parseLong(start.group(1)) : 0;
  }

  /** Returns how a file was found, if the line is the first one of a start or behind an interference. */
  Optional<String> before() {
    Matcher start = start();
    return start.matches() ? Optional.of(start.group(2)) : Optional.empty();
  }

  private Matcher start() {
    return START.matcher(bytes.length <= LONGEST_EVENT ? new String(bytes, StandardCharsets.ISO_8859_1) : "");
  }

  /** Returns whether it is as it was written, and follows the other directly. */
  boolean follows(ChainLine before) {
    return place.filter(line -> line.follows(before)).isPresent();
  }
}
