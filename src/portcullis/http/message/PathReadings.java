package portcullis.http.message;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Reads paths in their one spelling as some upstreams do. */
final class PathReadings {
  private static final int ESCAPE = 3;
  /** A regular expression's {@code $} also stands before a line feed at the end, other white space is trimmed. */
  private static final List<String> BLANKS = List.of("%20", "%09", "%0A", "%0B", "%0C", "%0D");

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
    return isBlank(path, at) && endsSegment(path, at + ESCAPE) ? Reading.TRAILING_DOT.bit() : 0;
  }

  private static boolean isBlank(String path, int at) {
    return path.startsWith("%20", at)
        || path.startsWith("%0", at) && BLANKS.stream().anyMatch(blank -> path.startsWith(blank, at));
  }

  /** Returns whether a segment ends there in some reading, as one of escapes as slashes or without parameters. */
  private static boolean endsSegment(String path, int at) {
    return at == path.length() || path.charAt(at) == '/' || path.charAt(at) == ';' || path.startsWith("%2F", at)
        || path.startsWith("%5C", at) || path.startsWith("%3B", at);
  }

  /** Returns the path from there on under all these readings at once; letter case is left to the comparison. */
  static String read(String path, Set<Reading> readings, int from) {
    String rest = path.substring(Math.max(from, 1));
    rest = readings.contains(Reading.SLASHES) ? rest.replace("%2F", "/") : rest;
    rest = readings.contains(Reading.BACKSLASHES) ? rest.replace("%5C", "/") : rest;
    rest = readings.contains(Reading.SEMICOLONS) ? rest.replace("%3B", ";") : rest;
    List<String> kept = from > 1 ? new ArrayList<>(List.of(path.substring(1, from - 1).split("/"))) : new ArrayList<>();
    boolean slash = false;
    for (String segment : rest.split("/", -1)) {
      String name = name(segment, readings);
      slash = name.isEmpty();
      if (name.equals("..")) {
        slash = true;
        if (!kept.isEmpty()) {
          kept.removeLast();
        }
      } else if (!name.isEmpty()) {
        kept.add(name);
      }
    }
    boolean toggled = readings.contains(Reading.TRAILING_SLASH) != slash;
    return "/" + String.join("/", kept) + (toggled && !kept.isEmpty() ? "/" : "");
  }

  private static String name(String segment, Set<Reading> readings) {
    int end = readings.contains(Reading.PARAMETERS) ? segment.indexOf(';') : -1;
    String name = end < 0 ? segment : segment.substring(0, end);
    return readings.contains(Reading.TRAILING_DOT) ? withoutDots(name) : name;
  }

  /** Windows takes blanks off first: {@code ..%20} is the folder above. Three dots and more are a name like others. */
  private static String withoutDots(String name) {
    int end = name.length();
    while (isBlank(name, end - ESCAPE)) {
      end -= ESCAPE;
    }
    if (name.substring(0, end).equals("..")) {
      return "..";
    }
    while (end > 0 && (name.charAt(end - 1) == '.' || isBlank(name, end - ESCAPE))) {
      end -= name.charAt(end - 1) == '.' ? 1 : ESCAPE;
    }
    boolean onlyDots = end == 0 && BLANKS.stream().noneMatch(name::contains);
    return onlyDots ? name : name.substring(0, end);
  }
}
