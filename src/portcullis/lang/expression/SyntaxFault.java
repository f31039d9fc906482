package portcullis.lang.expression;

/** A text is no expression. It ends the reading, so without stack trace. */
final class SyntaxFault extends Exception {
  private static final long serialVersionUID = 1;

  private final transient Place place;
  private final String hint;

  /** @param hint what would be right; empty where the message says it */
  SyntaxFault(Place place, String message, String hint) {
    super(message, null, false, false);
    this.place = place;
    this.hint = hint;
  }

  Place place() {
    return place;
  }

  String hint() {
    return hint;
  }
}
