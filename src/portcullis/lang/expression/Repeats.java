package portcullis.lang.expression;

import java.util.ArrayDeque;
import java.util.Deque;

/** Whether a regular expression asks for more repetitions within repetitions than RE2 allows: a thousand in all. */
final class Repeats {
  private static final int MOST = 1_000;

  private final String pattern;
  /** The most repetitions within each open group so far. */
  private final Deque<Integer> groups = new ArrayDeque<>();
  private int at;
  private int last = 1;

  private Repeats(String pattern) {
    this.pattern = pattern;
    groups.push(1);
  }

  static boolean tooMany(String pattern) {
    Repeats repeats = new Repeats(pattern);
    while (repeats.at < pattern.length()) {
      if (repeats.step() > MOST) {
        return true;
      }
    }
    return false;
  }

  /** Goes over one atom or repetition; how often what it ends with is repeated. */
  private int step() {
    char c = pattern.charAt(at++);
    switch (c) {
      case '\\' -> escaped();
      case '[' -> classed();
      case '(' -> {
        groups.push(1);
        last = 1;
      }
      case ')' -> {
        last = groups.pop();
        if (groups.isEmpty()) {
          groups.push(1);
        }
      }
      case '{' -> last *= Math.max(1, count());
      default -> last = "*+?".indexOf(c) >= 0 ? last : 1;
    }
    groups.push(Math.max(last, groups.pop()));
    return last;
  }

  private void escaped() {
    boolean quoted = pattern.startsWith("Q", at);
    int end = pattern.indexOf("\\E", at);
    at = quoted ? end < 0 ? pattern.length() : end + 2 : at + 1;
    last = 1;
  }

  private void classed() {
    at += pattern.startsWith("^", at) ? 2 : 1;
    while (at < pattern.length() && pattern.charAt(at) != ']') {
      at += pattern.charAt(at) == '\\' ? 2 : 1;
    }
    at++;
    last = 1;
  }

  /** The larger number of <code>{n,m}</code>; 1 where the brace is a plain character. */
  private int count() {
    int end = pattern.indexOf('}', at);
    String text = end < 0 ? "" : pattern.substring(at, end);
    if (!text.matches("[0-9]{1,4}(,[0-9]{0,4})?")) {
      return 1;
    }
    at = end + 1;
    int comma = text.indexOf(',');
    int low = Integer.parseInt(comma < 0 ? text : text.substring(0, comma));
    return comma < 0 || comma == text.length() - 1 ? low : Math.max(low, Integer.parseInt(text.substring(comma + 1)));
  }
}
