package portcullis.lang.template;

/** A part of a template, in characters. */
record Span(int offset, int length) {
  static Span of(Token token) {
    return new Span(token.offset(), token.length());
  }

  /** Returns the span from the beginning of this to the end of the other. */
  Span to(Span last) {
    return new Span(offset, Math.max(length, last.offset + last.length - offset));
  }
}
