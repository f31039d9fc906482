package portcullis.lang.template;

/**
 * What a rendering may use at most.
 *
 * @param outputBytes of the result, and of every text on the way to it
 * @param steps actions, calls and their work on long values
 */
record Limits(long outputBytes, long steps) {
  static final Limits STANDARD = new Limits(1 << 20, 1_000_000);
}
