package portcullis.policy.route;

import java.util.List;

/** A part of a path pattern between slashes. */
sealed interface Segment {
  /** The empty segment behind a slash at the end. */
  Segment NOTHING = new Literal("");

  /** The name of wildcards that capture nothing. */
  String UNNAMED = "*";

  /** A literal segment, as normalised paths spell it. */
  record Literal(String text) implements Segment {}

  /** One segment that is not empty. */
  record Single(String name) implements Segment {}

  /** The rest of the path, at least one character; the last segment. */
  record Rest(String name) implements Segment {}

  /** Returns what it captures under; {@link #UNNAMED} where it captures nothing. */
  default String capture() {
    return switch (this) {
      case Literal _ -> UNNAMED;
      case Single(String name) -> name;
      case Rest(String name) -> name;
    };
  }

  /** Returns the segment for paths in lower case. */
  default Segment ignoringCase() {
    return this instanceof Literal(String text) ? new Literal(CaseFolding.folded(text)) : this;
  }

  /** Returns whether whatever it fits is one segment that is not empty. */
  default boolean isOneWhole() {
    return !(this instanceof Rest) && !equals(NOTHING);
  }

  /** Returns whether whatever the segments from there on fit is at least one character. */
  static boolean leaveSomething(List<Segment> pattern, int from) {
    return from + 1 < pattern.size() || !pattern.get(from).equals(NOTHING);
  }
}
