package portcullis.lang.expression;

/** The position of a part of an expression. */
record SourcePosition(int offset, int length) {}
