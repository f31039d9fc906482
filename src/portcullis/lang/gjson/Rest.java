package portcullis.lang.gjson;

/** What of a path follows its first part. */
record Rest(String path, Join join) {
  static final Rest NOTHING = new Rest("", Join.END);

  /** How it follows. */
  enum Join {
    END, POINT, PIPE
  }

  static Rest piped(String path) {
    return new Rest(path, Join.PIPE);
  }

  /** A modifier or a multipath behind a point is meant as behind a pipe. */
  static Rest behindPoint(String path) {
    return new Rest(path, !path.isEmpty() && isWhole(path) ? Join.PIPE : Join.POINT);
  }

  private static boolean isWhole(String path) {
    char c = path.charAt(0);
    return c == '[' || c == '{' || c == '@' && Modifiers.isName(name(path));
  }

  private static String name(String path) {
    int end = 1;
    while (end < path.length() && ".|:".indexOf(path.charAt(end)) < 0) {
      end++;
    }
    return path.substring(1, end);
  }

  boolean more() {
    return join == Join.POINT;
  }
}
