package portcullis.lang.gjson;

/** Matches patterns where {@code *} means any characters and {@code ?} one, unless a backslash precedes them. */
final class Wildcard {
  private Wildcard() {}

  static boolean matches(String text, String pattern) {
    int[] t = text.codePoints().toArray();
    int[] p = pattern.codePoints().toArray();
    int at = 0;
    int next = 0;
    int star = -1;
    int tried = 0;
    while (at < t.length) {
      boolean escaped = next + 1 < p.length && p[next] == '\\';
      if (next < p.length && p[next] == '*') {
        star = next++;
        tried = at;
      } else if (next < p.length && (escaped ? p[next + 1] == t[at] : isOne(p[next], t[at]))) {
        next += escaped ? 2 : 1;
        at++;
      } else if (star >= 0) {
        next = star + 1;
        at = ++tried;
      } else {
        return false;
      }
    }
    while (next < p.length && p[next] == '*') {
      next++;
    }
    return next == p.length;
  }

  private static boolean isOne(int pattern, int character) {
    return pattern == '?' || pattern == character && pattern != '\\';
  }
}
