package portcullis.lang.value;

/**
 * The limits for parsing one document from outside; immutable. A document of many small values takes many times its
 * size in memory, so values are bounded as well as bytes.
 *
 * @param bytes of the document
 * @param nodes values in it, including nested ones
 * @param depth levels of nesting
 * @param names distinct names of one object or form
 */
public record ParseBudget(long bytes, int nodes, int depth, int names) {
  private static final long DEFAULT_BYTES = 1 << 20;
  private static final int BYTES_PER_NODE = 8;
  private static final int NODES_PER_NAME = 8;
  private static final int LEAST_NODES = 8192;
  private static final int DEEPEST = 100;

  /** The budget for a megabyte. */
  public static final ParseBudget DEFAULT = of(DEFAULT_BYTES);
  /** For documents that the operator or the program itself has written. */
  public static final ParseBudget UNBOUNDED = new ParseBudget(Long.MAX_VALUE, Integer.MAX_VALUE, DEEPEST,
      Integer.MAX_VALUE);

  /** Returns the budget for up to so many bytes: a value per 8 bytes, a distinct name per 64, 100 levels. */
  public static ParseBudget of(long bytes) {
    int nodes = Math.clamp(bytes / BYTES_PER_NODE, LEAST_NODES, Integer.MAX_VALUE);
    return new ParseBudget(bytes, nodes, DEEPEST, nodes / NODES_PER_NAME);
  }

  /** Returns the budget for a document whose bytes have been bounded already, as those of a response. */
  public static ParseBudget ofRead(long bytes) {
    return bytes <= DEFAULT_BYTES ? DEFAULT : of(bytes);
  }
}
