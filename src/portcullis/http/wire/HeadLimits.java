package portcullis.http.wire;

/**
 * The maximum size of a head or a trailer section.
 *
 * @param maxBytes of all of it, line ends included
 * @param maxFields lines in it
 */
public record HeadLimits(int maxBytes, int maxFields) {
  public HeadLimits {
    if (maxBytes < 16 || maxFields < 1) {
      throw new IllegalArgumentException("limits leave no room for a head");
    }
  }
}
