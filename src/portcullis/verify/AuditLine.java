package portcullis.verify;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
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
  private static final Pattern INTERFERENCE = Pattern.compile(
      "\\{\"chain\":[^{}]*,\"event\":\"chain\",\"by\":\"program\",\"before\":\"(removed|replaced|cut)\",[^{}]*}");

  /** Returns whether it says that another program had taken away what was written before. */
  boolean isAfterInterference() {
    return bytes.length <= LONGEST_EVENT
        && INTERFERENCE.matcher(new String(bytes, StandardCharsets.ISO_8859_1)).matches();
  }

  /** Returns whether it is as it was written, and follows the other directly. */
  boolean follows(ChainLine before) {
    return place.filter(line -> line.follows(before)).isPresent();
  }
}
