package portcullis.policy.cache;

/** How many answers were there already for the work of a thread: whoever watches takes the difference. */
public final class CacheHits {
  private static final ThreadLocal<CacheHits> OF_THE_THREAD = ThreadLocal.withInitial(CacheHits::new);

  private int count;

  private CacheHits() {}

  /** Those of this thread. */
  public static CacheHits here() {
    return OF_THE_THREAD.get();
  }

  /** So far. */
  public int count() {
    return count;
  }

  /** Says that a kept answer is used. */
  public static void found() {
    here().count++;
  }
}
