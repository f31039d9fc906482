package portcullis.lang.expression;

/** Ends parsing where an expression is malformed; without a stack trace, as it is not a bug. */
final class SyntaxError extends Exception {
  private static final long serialVersionUID = 1;

  private final transient SourcePosition place;
  private final String hint;

  /** @param hint what would be right; empty if the message is enough */
  SyntaxError(SourcePosition place, String message, String hint) {
    super(message, null, false, false);
    this.place = place;
    this.hint = hint;
  }

  SourcePosition place() {
    return place;
  }

  String hint() {
    return hint;
  }
}
