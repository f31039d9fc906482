package portcullis.http.wire;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import portcullis.background.BackgroundTask;

/**
 * Ends what waits too long, a twentieth of a second after its deadline at the latest. Setting a deadline costs no more
 * than a write, so that one can be set for every single read. What fails where a deadline has passed is reported, and
 * all others are ended in time nevertheless. For any threads; closing it ends its own.
 */
public final class DeadlineTimer implements AutoCloseable {
  private static final long NONE = Long.MAX_VALUE;
  private static final long PASSED = Long.MIN_VALUE;
  private static final long TICK = 50_000_000;

  private final long start = System.nanoTime();
  private final Set<Deadline> deadlines = ConcurrentHashMap.newKeySet();
  private final BackgroundTask task;
  private volatile boolean resting;
  private volatile boolean closed;

  public DeadlineTimer(String threadName) {
    task = new BackgroundTask(Thread.ofPlatform().daemon().name(threadName), this::run);
    task.start();
  }

  /**
   * Something that may wait, under watch until {@link Deadline#close}.
   *
   * @param late run by the watch's thread once a deadline has passed; must not block
   */
  public Deadline deadline(Runnable late) {
    Deadline deadline = new Deadline(this, late);
    deadlines.add(deadline);
    return deadline;
  }

  private boolean run() {
    if (round()) {
      LockSupport.parkNanos(this, TICK);
    } else {
      rest();
    }
    return !closed;
  }

  // Nothing is awaited: whoever sets the next deadline ends the rest, even one who set it before seeing that we rest.
  private void rest() {
    resting = true;
    if (!round() && !closed) {
      LockSupport.park(this);
    }
    resting = false;
  }

  /** Whether anything is awaited. */
  private boolean round() {
    long now = System.nanoTime() - start;
    boolean awaited = false;
    for (Deadline deadline : deadlines) {
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

  /** A wait's end; set, cleared and set again by whoever waits. Once passed it stays so. */
  public static final class Deadline implements AutoCloseable {
    private final DeadlineTimer watch;
    private final Runnable late;
    private final AtomicLong at = new AtomicLong(NONE);

    private Deadline(DeadlineTimer watch, Runnable late) {
      this.watch = watch;
      this.late = late;
    }

    /** Sets it anew, that many nanoseconds from now; false where it has passed before. */
    public boolean set(long nanos) {
      return until(System.nanoTime() + nanos);
    }

    /** Sets it anew, to that {@link System#nanoTime}; false where it has passed before. */
    public boolean until(long time) {
      long next = time - watch.start;
      boolean open = put(next);
      if (watch.resting) {
        watch.task.wake();
      }
      return open;
    }

    /** Lifts it; false where it has passed before. */
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

    /** Whether something waits for it. */
    public boolean isSet() {
      long seen = at.get();
      return seen != NONE && seen != PASSED;
    }

    /**
     * Lets it pass now where it is set, so that what waits ends as if it were late; runs that on the calling thread.
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

    /** Takes it off the watch. */
    @Override
    public void close() {
      watch.deadlines.remove(this);
    }
  }
}
