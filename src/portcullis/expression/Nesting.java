package portcullis.expression;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Bounds how deep the tree of a text can become, from its characters alone: brackets and chains of operators, members
 * and conditions deepen it; {@code &&}, {@code ||} and commas end a chain. Mutable, for one text.
 */
final class Nesting {
  private static final int DEEPEST = 250;
  private static final String CHAINING = ".+-*/%<>=!?:";

  /** One pair of brackets: its links since the last comma that weigh until its end, and those of the present chain. */
  private static final class Level {
    private int conditions = 1;
    private int links;
  }

  private final Deque<Level> levels = new ArrayDeque<>();
  private int depth = 1;

  Nesting() {
    levels.push(new Level());
  }

  boolean tooDeep() {
    return depth > DEEPEST;
  }

  /** Takes notice of the character at that place, which stands in no text constant and no comment. */
  void take(String text, int at) {
    char c = text.charAt(at);
    Level level = levels.peek();
    if ("([{".indexOf(c) >= 0) {
      levels.push(new Level());
      depth++;
    } else if (")]}".indexOf(c) >= 0 && levels.size() > 1) {
      depth -= level.links + level.conditions - 1;
      depth--;
      levels.pop();
      link(levels.peek());
    } else if (c == ',') {
      depth -= level.links + level.conditions - 1;
      level.links = 0;
      level.conditions = 1;
    } else if (c == '&' || c == '|') {
      depth -= level.links;
      level.links = 0;
    } else if (c == '?') {
      level.conditions++;
      depth++;
    } else if (CHAINING.indexOf(c) >= 0 || isWordIn(text, at)) {
      link(level);
    }
  }

  private void link(Level level) {
    level.links++;
    depth++;
  }

  private static boolean isWordIn(String text, int at) {
    return text.startsWith("in", at) && (at == 0 || !Draft.isNamePart(text.charAt(at - 1)))
        && (at + 2 >= text.length() || !Draft.isNamePart(text.charAt(at + 2)));
  }
}
