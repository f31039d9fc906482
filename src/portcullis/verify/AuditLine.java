package portcullis.verify;

import java.util.Optional;
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
  /** Returns whether it is as it was written, and follows the other directly. */
  boolean follows(ChainLine before) {
    return place.filter(line -> line.follows(before)).isPresent();
  }
}
