package portcullis.policy.route;

import java.util.List;

/** A piece of a glob as it was written. */
sealed interface GlobPart {
  record One(int codePoint) implements GlobPart {}

  /** Any one but the separator. */
  record AnyCharacter() implements GlobPart {}

  /** Any number; {@code everywhere} crosses separators. */
  record AnySequence(boolean everywhere) implements GlobPart {}

  /** A character of a list, or one that is not in it. */
  record OneOf(String characters, boolean negated) implements GlobPart {
    boolean has(int codePoint) {
      return (characters.indexOf(codePoint) >= 0) != negated;
    }
  }

  /** A character of a range, or one outside of it. */
  record CharacterRange(int low, int high, boolean negated) implements GlobPart {
    boolean has(int codePoint) {
      return (codePoint >= low && codePoint <= high) != negated;
    }
  }

  record Choice(List<List<GlobPart>> alternatives) implements GlobPart {
    public Choice {
      alternatives = List.copyOf(alternatives);
    }
  }
}
