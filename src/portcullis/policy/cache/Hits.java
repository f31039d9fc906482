package portcullis.policy.cache;

/** How many answers were there already for the work of a thread: whoever watches takes the difference. */
public final class Hits {
  private static final ThreadLocal<Hits> OF_THE_THREAD = ThreadLocal.withInitial(Hits::new);

  private int count;

  private Hits() {}

  /** Those of this thread. */
  public static Hits here() {
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
