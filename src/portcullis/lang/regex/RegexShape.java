package portcullis.lang.regex;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import portcullis.lang.value.ValueException;

/**
 * Describes a regular expression before it is compiled: the names of its groups, as Go lets several groups have the
 * same name, and about how large it will be.
 *
 * @param unnamed the expression without the names
 * @param names by group, empty for one without a name
 * @param size how many parts it has, each counted as often as it is repeated
 */
record RegexShape(String unnamed, List<String> names, long size) {
  private static final int MOST_CHARACTERS = 4096;
  private static final int MOST_PARTS = 10_000;
  private static final int DEEPEST = 200;

  /** @throws ValueException where the expression is too long, too large or nested too deeply */
  static RegexShape bounded(String text) throws ValueException {
    if (text.length() > MOST_CHARACTERS) {
      throw new ValueException("a regular expression of more than " + MOST_CHARACTERS + " characters");
    }
    return read(text, MOST_PARTS);
  }

  static RegexShape unbounded(String text) throws ValueException {
    return read(text, Long.MAX_VALUE);
  }

  private static RegexShape read(String text, long mostParts) throws ValueException {
    Reader reader = new Reader(text, mostParts);
    reader.read();
    return new RegexShape(reader.unnamed.toString(), List.copyOf(reader.names), reader.size);
  }

  private static final class Reader {
    private final String text;
    private final long mostParts;
    private final StringBuilder unnamed = new StringBuilder();
    private final List<String> names = new ArrayList<>(List.of(""));
    private final Deque<Long> around = new ArrayDeque<>();
    private int at;
    private long size;
    private long last;

    Reader(String text, long mostParts) {
      this.text = text;
      this.mostParts = mostParts;
    }

    void read() throws ValueException {
      while (at < text.length()) {
        int start = at;
        int skipped = part();
        unnamed.append(skipped > 0 ? "(" : text.substring(start, at));
        if (size + last > mostParts || around.size() > DEEPEST) {
          throw new ValueException("the regular expression is too large");
        }
      }
      size += last;
    }

    /** Reads the next part; returns the length of the name of a named group, else 0. */
    private int part() {
      char c = text.charAt(at++);
      switch (c) {
        case '\\' -> escape();
        case '[' -> characters();
        case '(' -> {
          return open();
        }
        case ')' -> close();
        case '{' -> repeat();
        case '*', '+', '?' -> last++;
        default -> atom();
      }
      return 0;
    }

    private void atom() {
      size += last;
      last = 1;
    }

    private void escape() {
      atom();
      if (text.startsWith("Q", at)) {
        int end = text.indexOf("\\E", at);
        last = (end < 0 ? text.length() : end) - at;
        at = end < 0 ? text.length() : end + 2;
      } else {
        at = Math.min(at + 1, text.length());
      }
    }

    /** Reads a character class; a bracket that comes first is one of its characters. */
    private void characters() {
      atom();
      at += text.startsWith("^", at) ? 1 : 0;
      at += text.startsWith("]", at) ? 1 : 0;
      while (at < text.length() && text.charAt(at) != ']') {
        int named = text.startsWith("[:", at) ? text.indexOf(":]", at + 2) : -1;
        at = named >= 0 ? named + 2 : at + (text.charAt(at) == '\\' ? 2 : 1);
      }
      at = Math.min(at + 1, text.length());
    }

    private int open() {
      size += last;
      around.push(size);
      size = 0;
      last = 1;
      if (!text.startsWith("?", at)) {
        names.add("");
        return 0;
      }
      int start = text.startsWith("?P<", at) ? at + 3 : text.startsWith("?<", at) ? at + 2 : -1;
      int end = start < 0 ? -1 : text.indexOf('>', start);
      if (end <= start || !isName(text.substring(start, end))) {
        return 0;
      }
      names.add(text.substring(start, end));
      at = end + 1;
      return end - start;
    }

    private static boolean isName(String name) {
      return name.chars().allMatch(c -> c == '_' || c < 128 && Character.isLetterOrDigit(c));
    }

    private void close() {
      long inside = size + last;
      size = around.isEmpty() ? 0 : around.pop();
      last = inside;
    }

    /** Reads {@code {n}}, {@code {n,}} or {@code {n,m}}; anything else is an ordinary character. */
    private void repeat() {
      int end = text.indexOf('}', at);
      String[] bounds = end < 0 ? new String[0] : text.substring(at, end).split(",", -1);
      boolean valid = bounds.length > 0 && bounds.length < 3 && isNumber(bounds[0])
          && (bounds.length == 1 || bounds[1].isEmpty() || isNumber(bounds[1]));
      if (!valid) {
        atom();
        return;
      }
      String most = bounds[bounds.length - 1].isEmpty() ? bounds[0] : bounds[bounds.length - 1];
      last = Math.min(last * Math.max(Long.parseLong(most), 1), MOST_PARTS + 1L);
      at = end + 1;
    }

    private static boolean isNumber(String digits) {
      return !digits.isEmpty() && digits.length() < 6 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    }
  }
}
