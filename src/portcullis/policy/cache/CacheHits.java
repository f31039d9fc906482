package portcullis.policy.cache;

/** Counts the cache hits of a thread; an observer compares two counts. */
public final class CacheHits {
  private static final ThreadLocal<CacheHits> OF_THE_THREAD = ThreadLocal.withInitial(CacheHits::new);

  private int count;

  private CacheHits() {}

  /** Returns the counter of the current thread. */
  public static CacheHits here() {
    return OF_THE_THREAD.get();
  }

  /** Returns the number of hits so far. */
  public int count() {
    return count;
  }

  /** Counts a hit. */
  public static void found() {
    here().count++;
  }
}
