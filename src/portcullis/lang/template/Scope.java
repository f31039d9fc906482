package portcullis.lang.template;

import java.util.ArrayList;
import java.util.List;

/** The variables that a place of a template knows, and the slots they are kept in. */
final class Scope {
  /** The slot of a variable that was never declared. */
  static final int NOWHERE = -1;
  static final int ROOT = 0;

  private record Known(String name, int slot) {}

  private final List<Known> known = new ArrayList<>(List.of(new Known("$", ROOT)));
  private int slots = 1;

  /** Makes a name known that is declared only after it has been read what it is set to. */
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

  /** {@link #NOWHERE} for one that was never declared but assigned only. */
  int slot(String name) {
    return known.reversed().stream().filter(k -> k.name.equals(name) && k.slot != NOWHERE).map(Known::slot).findFirst()
        .orElse(NOWHERE);
  }

  int mark() {
    return known.size();
  }

  /** Forgets what was declared since. */
  void reset(int mark) {
    known.subList(mark, known.size()).clear();
  }

  int slots() {
    return slots;
  }
}
