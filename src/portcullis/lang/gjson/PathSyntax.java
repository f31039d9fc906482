package portcullis.lang.gjson;

/** Finds where strings, brackets and names in a path end. */
final class PathSyntax {
  private PathSyntax() {}

  /** Returns the offset behind the string whose opening quote stands before {@code from}; -1 if it is not closed. */
  static int endOfString(String path, int from) {
    for (int i = from; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == '"') {
        return i + 1;
      }
    }
    return -1;
  }

  /** Returns the offset behind the string or the brackets that open at {@code from}; the end if they are not closed. */
  static int endOfBlock(String path, int from) {
    if (path.charAt(from) == '"') {
      int end = endOfString(path, from + 1);
      return end < 0 ? path.length() : end;
    }
    return endOfBrackets(path, from);
  }

  /** Like {@link #endOfBlock}, but takes any character at {@code from} for an opening bracket. */
  static int endOfBrackets(String path, int from) {
    int depth = 1;
    for (int i = from + 1; i < path.length(); i++) {
      switch (path.charAt(i)) {
        case '"' -> {
          int end = endOfString(path, i + 1);
          i = end < 0 ? path.length() : end - 1;
        }
        case '{', '[', '(' -> depth++;
        case '}', ']', ')' -> {
          if (--depth == 0) {
            return i + 1;
          }
        }
        default -> {
        }
      }
    }
    return path.length();
  }

  /** Returns the name behind the {@code @} that the path starts with. */
  static String modifierName(String path) {
    int end = 1;
    while (end < path.length() && ".|:".indexOf(path.charAt(end)) < 0) {
      end++;
    }
    return path.substring(1, end);
  }
}
