package portcullis.mutation;

/** A line of a source file. */
record Place(String file, int line) {}
