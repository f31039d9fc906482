package portcullis.lang.expression;

/**
 * A word of the language.
 *
 * @param text as written; of a quoted name what is between the quotes
 */
record Token(Kind kind, String text, int offset, int length) {
  /** Keywords are symbols: {@code in true false null}. */
  enum Kind {
    NAME, QUOTED_NAME, INT, UINT, DOUBLE, TEXT, BYTES, SYMBOL, END
  }

  boolean is(String symbol) {
    return kind == Kind.SYMBOL && text.equals(symbol);
  }

  SourcePosition place() {
    return new SourcePosition(offset, Math.max(1, length));
  }
}
