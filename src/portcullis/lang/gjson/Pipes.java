package portcullis.lang.gjson;

/** Finds the first pipe of a path that stands outside of queries, braces and escapes. */
final class Pipes {
  private Pipes() {}

  /** Returns the parts before and behind that pipe, or the path alone. */
  static String[] split(String path) {
    int pipe = path.startsWith("{") ? behindBraces(path) : find(path);
    return pipe < 0 ? new String[] {path} : new String[] {path.substring(0, pipe), path.substring(pipe + 1)};
  }

  private static int behindBraces(String path) {
    int end = path.length() == 1 ? 1 : 1 + PathSyntax.endOfBlock(path.substring(1), 0);
    return path.startsWith("|", end) ? end : -1;
  }

  private static int find(String path) {
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == '|') {
        return i;
      }
      if (c == '\\') {
        i++;
      } else if (path.startsWith(".#(", i) || path.startsWith(".#[", i)) {
        i = endOfQuery(path, i + 2);
      } else if (path.startsWith(".#", i)) {
        i += 2;
      }
    }
    return -1;
  }

  /** Returns the offset of the bracket that closes the one at {@code open}; the end if none does. */
  private static int endOfQuery(String path, int open) {
    char close = path.charAt(open) == '[' ? ']' : ')';
    int depth = 1;
    int i = open + 1;
    for (; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == path.charAt(open)) {
        depth++;
      } else if (c == close) {
        if (--depth == 0) {
          break;
        }
      } else if (c == '"') {
        int end = PathSyntax.endOfString(path, i + 1);
        i = end < 0 ? path.length() : end - 1;
      }
    }
    return i;
  }
}
