package portcullis.policy.endpoint;

/** Finds the actions in the source of a template. */
final class TemplateActions {
  private static final String BLANKS = " \t\r\n";

  private TemplateActions() {}

  /**
   * Returns the end of the action that begins there; -1 if it does not end. Delimiters in quotes and comments are
   * skipped.
   */
  static int end(String text, int start) {
    int at = start + 2;
    while (at < text.length() && !text.startsWith("}}", at)) {
      char c = text.charAt(at);
      int next = text.startsWith("/*", at) ? behind(text, "*/", at + 2)
          : c == '`' ? behind(text, "`", at + 1)
              : c == '"' || c == '\'' ? unquoted(text, at) : at + 1;
      if (next < 0) {
        return -1;
      }
      at = next;
    }
    return at < text.length() ? at + 2 : -1;
  }

  private static int behind(String text, String what, int from) {
    int at = text.indexOf(what, from);
    return at < 0 ? -1 : at + what.length();
  }

  /** Returns the end of the quoted string that begins there; a backslash escapes the next character. */
  private static int unquoted(String text, int start) {
    char quote = text.charAt(start);
    int at = start + 1;
    while (at < text.length() && text.charAt(at) != quote) {
      at += text.charAt(at) == '\\' ? 2 : 1;
    }
    return at < text.length() ? at + 1 : -1;
  }

  /** Returns the start of the blanks that the action trims before it, or its start if it trims none. */
  static int trimmedBefore(String text, int start) {
    boolean trims = text.startsWith("{{-", start) && start + 3 < text.length() && isBlank(text.charAt(start + 3));
    int at = start;
    while (trims && at > 0 && isBlank(text.charAt(at - 1))) {
      at--;
    }
    return at;
  }

  /** Returns the end of the blanks that the action trims after it. */
  static int trimmedBehind(String text, int end) {
    boolean trims = text.startsWith("-}}", end - 3) && isBlank(text.charAt(end - 4));
    int at = end;
    while (trims && at < text.length() && isBlank(text.charAt(at))) {
      at++;
    }
    return at;
  }

  private static boolean isBlank(char c) {
    return BLANKS.indexOf(c) >= 0;
  }
}
