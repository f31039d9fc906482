package portcullis.lang.expression;

/** Where a part of an expression stands in its text. */
record Place(int offset, int length) {}
