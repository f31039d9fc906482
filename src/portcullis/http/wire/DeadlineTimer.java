package portcullis.http.wire;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import portcullis.background.BackgroundTask;

/**
 * Runs actions when deadlines pass, at most 50 ms late. Setting a deadline costs no more than a write, so that one can
 * be set for every single read. An action that throws is reported and does not delay others. For any
 * threads; closing it ends its own.
 */
public final class DeadlineTimer implements AutoCloseable {
  private static final long NONE = Long.MAX_VALUE;
  private static final long PASSED = Long.MIN_VALUE;
  private static final long TICK = 50_000_000;
  private static final long ROUGH_TICK = 500_000_000;

  private final long start = System.nanoTime();
  private final Set<Deadline> deadlines = ConcurrentHashMap.newKeySet();
  private final Set<Deadline> rough = ConcurrentHashMap.newKeySet();
  private final BackgroundTask task;
  private long nextRough;
  private boolean roughAwaited;
  private volatile boolean resting;
  private volatile boolean closed;

  public DeadlineTimer(String threadName) {
    task = new BackgroundTask(Thread.ofPlatform().daemon().name(threadName), this::run);
    task.start();
  }

  /**
   * Creates a deadline, not set yet, that is checked until {@link Deadline#close}.
   *
   * @param late run by the timer's thread once the deadline has passed; must not block
   */
  public Deadline deadline(Runnable late) {
    Deadline deadline = new Deadline(this, late);
    deadlines.add(deadline);
    return deadline;
  }

  /** Creates one whose action may run half a second late, which costs less: there may be thousands of them. */
  public Deadline roughDeadline(Runnable late) {
    Deadline deadline = new Deadline(this, late);
    rough.add(deadline);
    return deadline;
  }

  private boolean run() {
    if (round(false)) {
      LockSupport.parkNanos(this, TICK);
    } else {
      rest();
    }
    return !closed;
  }

  // No deadline is set: setting the next one wakes the thread, even if that happens while it is going to sleep.
  private void rest() {
    resting = true;
    if (!round(true) && !closed) {
      LockSupport.park(this);
    }
    resting = false;
  }

  /** Runs the actions of passed deadlines; returns whether any other is set. @param all whether of rough ones, too */
  private boolean round(boolean all) {
    long now = System.nanoTime() - start;
    if (all || now >= nextRough) {
      nextRough = now + ROUGH_TICK;
      roughAwaited = round(rough, now);
    }
    return round(deadlines, now) || roughAwaited;
  }

  private static boolean round(Set<Deadline> some, long now) {
    boolean awaited = false;
    for (Deadline deadline : some) {
      long at = deadline.at.get();
      if (at <= now && at != PASSED && deadline.at.compareAndSet(at, PASSED)) {
        BackgroundTask.guarded(deadline.late);
      }
      awaited |= at != PASSED && at != NONE;
    }
    return awaited;
  }

  @Override
  public void close() {
    closed = true;
    task.wake();
  }

  /** The end of a wait, which can be set and cleared repeatedly. Once passed it cannot be set again. */
  public static final class Deadline implements AutoCloseable {
    private final DeadlineTimer watch;
    private final Runnable late;
    private final AtomicLong at = new AtomicLong(NONE);

    private Deadline(DeadlineTimer watch, Runnable late) {
      this.watch = watch;
      this.late = late;
    }

    /** Sets it to that many nanoseconds from now; returns false if it has passed before. */
    public boolean set(long nanos) {
      return until(System.nanoTime() + nanos);
    }

    /** Sets it to that {@link System#nanoTime}; returns false if it has passed before. */
    public boolean until(long time) {
      long next = time - watch.start;
      boolean open = put(next);
      if (watch.resting) {
        watch.task.wake();
      }
      return open;
    }

    /** Clears it; returns false if it has passed before. */
    public boolean clear() {
      return put(NONE);
    }

    private boolean put(long next) {
      long seen = at.get();
      while (seen != PASSED && !at.compareAndSet(seen, next)) {
        seen = at.get();
      }
      return seen != PASSED;
    }

    /** Returns whether it is set and has not passed. */
    public boolean isSet() {
      long seen = at.get();
      return seen != NONE && seen != PASSED;
    }

    /**
     * Makes it pass now if it is set, and runs its action on the calling thread.
     */
    public void passNow() {
      long seen = at.get();
      if (seen != NONE && seen != PASSED && at.compareAndSet(seen, PASSED)) {
        late.run();
      }
    }

    public boolean hasPassed() {
      return at.get() == PASSED;
    }

    /** Removes it from the timer. */
    @Override
    public void close() {
      if (!watch.deadlines.remove(this)) {
        watch.rough.remove(this);
      }
    }
  }
}
