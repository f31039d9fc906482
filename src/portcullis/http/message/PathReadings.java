package portcullis.http.message;

import java.nio.charset.StandardCharsets;
import java.util.Set;

/** Reads paths in their one spelling as some upstreams do. */
final class PathReadings {
  private static final int ESCAPE = 3;

  private PathReadings() {}

  /**
   * Returns the bits of the readings under which a path in its one spelling may be another; see {@link Reading#bit}.
   */
  static int applicable(String path) {
    int bits = path.length() > 1 ? Reading.TRAILING_SLASH.bit() : 0;
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      switch (c) {
        case ';' -> bits |= Reading.PARAMETERS.bit();
        case '.' -> bits |= endsSegment(path, i + 1) ? Reading.TRAILING_DOT.bit() : 0;
        case '%' -> bits |= ofEscape(path, i);
        default -> bits |= c >= 'A' && c <= 'Z' ? Reading.CASE.bit() : 0;
      }
      i += c == '%' ? 2 : 0;
    }
    return bits;
  }

  private static int ofEscape(String path, int at) {
    if (path.startsWith("2F", at + 1)) {
      return Reading.SLASHES.bit();
    }
    if (path.startsWith("5C", at + 1)) {
      return Reading.BACKSLASHES.bit();
    }
    if (path.startsWith("3B", at + 1)) {
      return Reading.SEMICOLONS.bit() | Reading.PARAMETERS.bit();
    }
    if (path.charAt(at + 1) >= '8') {
      return Reading.CASE.bit();
    }
    return isBlank(path.charAt(at + 1), path.charAt(at + 2)) && endsSegment(path, at + ESCAPE)
        ? Reading.TRAILING_DOT.bit()
        : 0;
  }

  /**
   * Returns whether an escape is one of white space, which some take off ends; before a line feed there a regular
   * expression's {@code $} stands, too.
   */
  private static boolean isBlank(char first, char second) {
    return first == '2' ? second == '0' : first == '0' && (second == '9' || second >= 'A' && second <= 'D');
  }

  /** Returns whether a segment ends there in some reading, as one of escapes as slashes or without parameters. */
  private static boolean endsSegment(String path, int at) {
    return at == path.length() || path.charAt(at) == '/' || path.charAt(at) == ';' || path.startsWith("%2F", at)
        || path.startsWith("%5C", at) || path.startsWith("%3B", at);
  }

  /**
   * Returns the path from there on under all these readings at once; letter case is left to the comparison.
   *
   * @param from 0 or where a segment begins
   */
  static String read(String path, Set<Reading> readings, int from) {
    return new Reader(path, readings, from).read();
  }

  /**
   * One reading of a path, whose segments are put together behind their slashes. A long path can have many
   * combinations of readings, so runs of segments that none of them changes are copied as they are.
   */
  private static final class Reader {
    private final byte[] path;
    private final int from;
    private final boolean slashes;
    private final boolean backslashes;
    private final boolean semicolons;
    private final boolean parameters;
    private final boolean dots;
    private final boolean slash;
    private final byte[] kept;
    private int size;
    private boolean endsInSlash;

    Reader(String path, Set<Reading> readings, int from) {
      this.path = path.getBytes(StandardCharsets.ISO_8859_1);
      this.from = Math.max(from, 1);
      this.slashes = readings.contains(Reading.SLASHES);
      this.backslashes = readings.contains(Reading.BACKSLASHES);
      this.semicolons = readings.contains(Reading.SEMICOLONS);
      this.parameters = readings.contains(Reading.PARAMETERS);
      this.dots = readings.contains(Reading.TRAILING_DOT);
      this.slash = readings.contains(Reading.TRAILING_SLASH);
      this.kept = new byte[this.path.length + 1];
    }

    String read() {
      append(0, from - 1);
      int at = from;
      while (at <= path.length) {
        int odd = odd(at);
        int segment = odd == path.length ? odd + 1 : begin(odd);
        if (segment > at) {
          same(at, segment - 1);
        }
        at = odd == path.length ? segment : other(segment) + 1;
      }
      if (size == 0 || slash != endsInSlash) {
        kept[size++] = '/';
      }
      return new String(kept, 0, size, StandardCharsets.ISO_8859_1);
    }

    private void append(int begin, int end) {
      System.arraycopy(path, begin, kept, size, end - begin);
      size += end - begin;
    }

    /** Returns the place of the next character that a reading may change, or that is in a segment with such a one. */
    private int odd(int from) {
      for (int i = from; i < path.length; i++) {
        byte c = path[i];
        if (c == ';' || c == '%' || c == '.' && (i + 1 == path.length || path[i + 1] == '/')) {
          return i;
        }
      }
      return path.length;
    }

    private int begin(int inSegment) {
      int i = inSegment;
      while (path[i - 1] != '/') {
        i--;
      }
      return i;
    }

    /** Segments that no reading changes; only behind the last one there may be nothing. */
    private void same(int begin, int end) {
      endsInSlash = path[end - 1] == '/';
      append(begin - 1, endsInSlash ? end - 1 : end);
    }

    /** A segment that readings may change, or take for several; returns its end. */
    private int other(int begin) {
      boolean cut = false;
      kept[size++] = '/';
      int name = size;
      int i = begin;
      while (i < path.length && path[i] != '/') {
        int width = path[i] == '%' ? ESCAPE : 1;
        char c = meaning(i);
        if (c == '/') {
          end(name);
          kept[size++] = '/';
          name = size;
          cut = false;
        } else if (c == ';') {
          cut |= parameters;
          kept[size] = ';';
          size += cut ? 0 : 1;
        } else if (!cut) {
          append(i, i + width);
        }
        i += width;
      }
      end(name);
      return i;
    }

    private char meaning(int at) {
      if (path[at] != '%') {
        return (char) path[at];
      }
      boolean isSlash = slashes && isEscape(path, at, '2', 'F') || backslashes && isEscape(path, at, '5', 'C');
      return isSlash ? '/' : semicolons && isEscape(path, at, '3', 'B') ? ';' : '%';
    }

    private static boolean isEscape(byte[] text, int at, char first, char second) {
      return text[at] == '%' && text[at + 1] == first && text[at + 2] == second;
    }

    /** Ends the segment whose name begins there, which leaves if it is none or leads up. */
    private void end(int name) {
      size = dots ? endWithoutDots(name) : size;
      boolean leadsUp = size == name + 2 && kept[name] == '.' && kept[name + 1] == '.';
      endsInSlash = size == name || leadsUp;
      if (endsInSlash) {
        size = name - 1;
      }
      if (leadsUp) {
        while (size > 0 && kept[--size] != '/') {
          // up to the slash before
        }
      }
    }

    /**
     * Windows takes blanks off first: {@code ..%20} is the folder above. Three dots and more are a name like others.
     */
    private int endWithoutDots(int name) {
      int end = size;
      while (endsInBlank(name, end)) {
        end -= ESCAPE;
      }
      if (end == name + 2 && kept[name] == '.' && kept[name + 1] == '.') {
        return end;
      }
      boolean onlyDots = end == size;
      while (end > name) {
        boolean dot = kept[end - 1] == '.';
        if (!dot && !endsInBlank(name, end)) {
          return end;
        }
        onlyDots &= dot;
        end -= dot ? 1 : ESCAPE;
      }
      return onlyDots ? size : end;
    }

    private boolean endsInBlank(int name, int end) {
      int at = end - ESCAPE;
      return at >= name && kept[at] == '%' && isBlank((char) kept[at + 1], (char) kept[at + 2]);
    }
  }
}
