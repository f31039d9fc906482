package portcullis.lang.template;

/**
 * The limits of a rendering.
 *
 * @param outputBytes of the result and of every intermediate string
 * @param steps actions, calls and their work on long values
 */
record Limits(long outputBytes, long steps) {
  static final Limits DEFAULT = new Limits(1 << 20, 1_000_000);
}
