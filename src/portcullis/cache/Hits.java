package portcullis.cache;

import java.util.function.Supplier;

/** How many answers were there already for work that somebody watches; for the thread of the work. */
public final class Hits {
  private static final ScopedValue<Hits> OF_THE_WORK = ScopedValue.newInstance();

  private int count;

  /** So far. */
  public int count() {
    return count;
  }

  /** Does the work, counting. */
  public <R> R during(Supplier<R> work) {
    return ScopedValue.where(OF_THE_WORK, this).call(work::get);
  }

  /** Says that a kept answer is used; without effect where nobody watches. */
  public static void found() {
    if (OF_THE_WORK.isBound()) {
      OF_THE_WORK.get().count++;
    }
  }
}
