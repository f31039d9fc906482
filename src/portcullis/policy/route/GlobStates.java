package portcullis.policy.route;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;

/** The state machine of a glob (Thompson's construction); immutable once built. */
final class GlobStates {
  static final int END = 0;
  private static final int NONE = -1;

  private final char separator;
  private final List<State> states = new ArrayList<>();
  private final List<int[]> reached = new ArrayList<>();
  private final int start;

  /** Reads one character and goes on to {@code next}; a fork reads nothing and goes on to both. */
  private record State(IntPredicate reads, int next, int other) {
    boolean isFork() {
      return other != NONE;
    }
  }

  GlobStates(List<GlobPart> parts, char separator) {
    this.separator = separator;
    reader(c -> false, END);
    this.start = sequence(parts, END);
    states.forEach(state -> reached.add(entered(state.next()).stream().toArray()));
  }

  /** Returns where it is before the first character. */
  BitSet start() {
    return entered(start);
  }

  /** Adds to {@code then} where it can be after reading this character. */
  void step(BitSet now, int codePoint, BitSet then) {
    for (int s = now.nextSetBit(0); s >= 0; s = now.nextSetBit(s + 1)) {
      if (states.get(s).reads().test(codePoint)) {
        for (int next : reached.get(s)) {
          then.set(next);
        }
      }
    }
  }

  /** Returns the states that read, or the end, which it is in as soon as it comes to {@code state}. */
  private BitSet entered(int state) {
    BitSet seen = new BitSet();
    List<Integer> open = new ArrayList<>(List.of(state));
    while (!open.isEmpty()) {
      int next = open.removeLast();
      if (!seen.get(next)) {
        seen.set(next);
        if (states.get(next).isFork()) {
          open.add(states.get(next).next());
          open.add(states.get(next).other());
        }
      }
    }
    seen.stream().filter(s -> states.get(s).isFork()).forEach(seen::clear);
    return seen;
  }

  /** Adds the states of these parts before {@code next}; returns where they begin. */
  private int sequence(List<GlobPart> parts, int next) {
    int from = next;
    for (GlobPart part : parts.reversed()) {
      from = part(part, from);
    }
    return from;
  }

  private int part(GlobPart part, int next) {
    return switch (part) {
      case GlobPart.One(int wanted) -> reader(c -> c == wanted, next);
      case GlobPart.AnyCharacter() -> reader(c -> c != separator, next);
      case GlobPart.OneOf list -> reader(list::has, next);
      case GlobPart.CharacterRange range -> reader(range::has, next);
      case GlobPart.AnySequence(boolean everywhere) -> {
        int reader = reader(c -> everywhere || c != separator, states.size() + 1);
        yield fork(reader, next);
      }
      case GlobPart.Choice choice -> choice(choice.alternatives(), next);
    };
  }

  private int choice(List<List<GlobPart>> alternatives, int next) {
    int from = sequence(alternatives.getLast(), next);
    for (List<GlobPart> alternative : alternatives.subList(0, alternatives.size() - 1)) {
      from = fork(sequence(alternative, next), from);
    }
    return from;
  }

  private int reader(IntPredicate reads, int next) {
    states.add(new State(reads, next, NONE));
    return states.size() - 1;
  }

  private int fork(int next, int other) {
    states.add(new State(c -> false, next, other));
    return states.size() - 1;
  }
}
