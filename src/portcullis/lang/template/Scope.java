package portcullis.lang.template;

import java.util.ArrayList;
import java.util.List;

/** The variables that are visible at a place of a template, with their slots. */
final class Scope {
  /** The slot of a variable that was never declared. */
  static final int NOWHERE = -1;
  static final int ROOT = 0;

  private record Known(String name, int slot) {}

  private final List<Known> known = new ArrayList<>(List.of(new Known("$", ROOT)));
  private int slots = 1;

  /** Makes a name visible that is declared after its value has been parsed. */
  void announce(String name) {
    known.add(new Known(name, NOWHERE));
  }

  int declare(String name) {
    known.add(new Known(name, slots));
    return slots++;
  }

  boolean knows(String name) {
    return known.stream().anyMatch(k -> k.name.equals(name));
  }

  /** Returns the slot, or {@link #NOWHERE} for a variable that was assigned but not declared. */
  int slot(String name) {
    return known.reversed().stream().filter(k -> k.name.equals(name) && k.slot != NOWHERE).map(Known::slot).findFirst()
        .orElse(NOWHERE);
  }

  int mark() {
    return known.size();
  }

  /** Removes what was declared since the mark. */
  void reset(int mark) {
    known.subList(mark, known.size()).clear();
  }

  int slots() {
    return slots;
  }
}
