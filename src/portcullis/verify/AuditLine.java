package portcullis.verify;

import java.nio.charset.StandardCharsets;
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
      "\\{\"chain\":[^{}]*,\"event\":\"chain\",\"by\":\"program\",(?:\"torn_[^{}]*)?\"before\":\"([a-z_]+)\",[^{}]*}");
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

  /** Returns how a file was found, if the line is the first one of a start or behind an interference. */
  Optional<String> before() {
    Matcher matcher = START.matcher(
        bytes.length <= LONGEST_EVENT ? new String(bytes, StandardCharsets.ISO_8859_1) : "");
    return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  /** Returns whether it is as it was written, and follows the other directly. */
  boolean follows(ChainLine before) {
    return place.filter(line -> line.follows(before)).isPresent();
  }
}
