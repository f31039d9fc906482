package portcullis.config;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * A pattern of {@code ${NAME#…}}: {@code *}, {@code ?}, {@code [a-z]}, {@code [^a-z]}, {@code \} before a character.
 * Immutable; matching takes time in proportion to string and pattern.
 */
final class ShellPattern {
  private final List<Part> parts;

  private ShellPattern(List<Part> parts) {
    this.parts = parts;
  }

  /** A part of a pattern; each but a run matches one character. */
  private sealed interface Part {
    record Run() implements Part {}

    record Any() implements Part {}

    record Range(int low, int high) implements Part {}

    record OneOf(List<Range> ranges, boolean others) implements Part {}

    default boolean fits(int c) {
      return switch (this) {
        case Run _, Any _ -> true;
        case Range r -> c >= r.low && c <= r.high;
        case OneOf o -> o.ranges.stream().anyMatch(r -> r.fits(c)) != o.others;
      };
    }
  }

  /** Parses a pattern; a malformed one matches nothing. */
  static ShellPattern of(String text) {
    return new Reader(text.codePoints().toArray()).parts().map(ShellPattern::new).orElse(new ShellPattern(List.of()));
  }

  /** Returns how many characters at the start of the string match, at least one; 0 if none do. */
  int fit(String text, boolean longest) {
    int found = 0;
    BitSet states = new BitSet(parts.size() + 1);
    enter(states, 0);
    for (int at = 0; at < text.length() && !states.isEmpty();) {
      int c = text.codePointAt(at);
      at += Character.charCount(c);
      states = next(states, c);
      if (states.get(parts.size())) {
        found = at;
        if (!longest) {
          return found;
        }
      }
    }
    return found;
  }

  private BitSet next(BitSet states, int c) {
    BitSet out = new BitSet(parts.size() + 1);
    for (int i = states.nextSetBit(0); i >= 0 && i < parts.size(); i = states.nextSetBit(i + 1)) {
      if (parts.get(i).fits(c)) {
        enter(out, parts.get(i) instanceof Part.Run ? i : i + 1);
      }
    }
    return out;
  }

  /** A run may be over before it has begun. */
  private void enter(BitSet states, int state) {
    int i = state;
    states.set(i);
    while (i < parts.size() && parts.get(i) instanceof Part.Run) {
      states.set(++i);
    }
  }

  /** Reads {@code ( "*" | "?" | "[" "^"? range+ "]" | "\"? character )*}. */
  private static final class Reader {
    private final int[] text;
    private int at;

    Reader(int[] text) {
      this.text = text;
    }

    Optional<List<Part>> parts() {
      List<Part> out = new ArrayList<>();
      while (at < text.length) {
        Optional<? extends Part> part = switch (text[at]) {
          case '*' -> one(new Part.Run());
          case '?' -> one(new Part.Any());
          case '[' -> oneOf();
          default -> character(false).map(c -> new Part.Range(c, c));
        };
        if (part.isEmpty()) {
          return Optional.empty();
        }
        out.add(part.get());
      }
      return Optional.of(List.copyOf(out));
    }

    private Optional<Part> one(Part part) {
      at++;
      return Optional.of(part);
    }

    private Optional<Part> oneOf() {
      at++;
      boolean others = is('^');
      at += others ? 1 : 0;
      List<Part.Range> ranges = new ArrayList<>();
      while (ranges.isEmpty() || !is(']')) {
        Optional<Part.Range> range = range();
        if (range.isEmpty()) {
          return Optional.empty();
        }
        ranges.add(range.get());
      }
      at++;
      return Optional.of(new Part.OneOf(List.copyOf(ranges), others));
    }

    /** {@code character ( "-" character )?}. */
    private Optional<Part.Range> range() {
      Optional<Integer> low = character(true);
      if (low.isEmpty() || !is('-')) {
        return low.map(c -> new Part.Range(c, c));
      }
      at++;
      return character(true).map(high -> new Part.Range(low.get(), high));
    }

    private Optional<Integer> character(boolean inClass) {
      boolean escape = is('\\');
      at += escape ? 1 : 0;
      if (at >= text.length || inClass && !escape && (is('-') || is(']'))) {
        return Optional.empty();
      }
      return Optional.of(text[at++]);
    }

    private boolean is(char c) {
      return at < text.length && text[at] == c;
    }
  }
}
