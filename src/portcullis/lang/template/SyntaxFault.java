package portcullis.lang.template;

/** A fault in a template, where it was found; without stack trace. */
final class SyntaxFault extends Exception {
  private static final long serialVersionUID = 1;

  private final transient Span at;
  private final String hint;

  SyntaxFault(Span at, String message, String hint) {
    super(OneLine.of(message), null, false, false);
    this.at = at;
    this.hint = hint;
  }

  SyntaxFault(Span at, String message) {
    this(at, message, "");
  }

  Span at() {
    return at;
  }

  /** What would be right; may be empty. */
  String hint() {
    return hint;
  }
}
