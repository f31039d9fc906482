package portcullis.lang.template;

import portcullis.lang.source.TerminalText;

/** Reports a syntax error of a template and its place; without stack trace. */
final class TemplateSyntaxException extends Exception {
  private static final long serialVersionUID = 1;
  private static final int LONGEST = 400;

  private final transient Span at;
  private final String hint;

  TemplateSyntaxException(Span at, String message, String hint) {
    super(shown(message), null, false, false);
    this.at = at;
    this.hint = hint;
  }

  TemplateSyntaxException(Span at, String message) {
    this(at, message, "");
  }

  /** Returns the message on one line, not longer than an author wants to read. */
  static String shown(String message) {
    return TerminalText.of(message, LONGEST);
  }

  Span at() {
    return at;
  }

  /** Returns what would be right; may be empty. */
  String hint() {
    return hint;
  }
}
