package portcullis.lang.expression;

/** Where a part of an expression stands in its text. */
record SourcePosition(int offset, int length) {}
