package portcullis.wire;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Ends what waits too long. One thread sleeps until the earliest deadline; setting a later one costs no more than a
 * write, so that a deadline can be set for every single read. For any threads; closing it ends its thread.
 */
public final class Watch implements AutoCloseable {
  private static final long NONE = Long.MAX_VALUE;
  private static final long PASSED = Long.MIN_VALUE;
  // with very many connections a deadline passes at any time: none is looked for more often than this
  private static final long LEAST_SLEEP = 5_000_000;

  private final long start = System.nanoTime();
  private final Set<Deadline> deadlines = ConcurrentHashMap.newKeySet();
  private final Thread thread;
  private volatile long wake = NONE;
  private volatile boolean closed;

  public Watch(String threadName) {
    thread = Thread.ofPlatform().daemon().name(threadName).start(this::run);
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

  private long now() {
    return System.nanoTime() - start;
  }

  private void run() {
    while (!closed) {
      // whoever sets a deadline during the round wakes us for another one
      wake = NONE;
      long earliest = round(now());
      wake = earliest;
      if (earliest == NONE) {
        LockSupport.park(this);
      } else {
        LockSupport.parkNanos(this, Math.max(earliest - now(), LEAST_SLEEP));
      }
    }
  }

  private long round(long now) {
    long earliest = NONE;
    for (Deadline deadline : deadlines) {
      long at = deadline.at.get();
      if (at <= now && at != PASSED && deadline.at.compareAndSet(at, PASSED)) {
        deadline.late.run();
      } else if (at > now) {
        earliest = Math.min(earliest, at);
      }
    }
    return earliest;
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  /** A wait's end; set, cleared and set again by whoever waits. Once passed it stays so. */
  public static final class Deadline implements AutoCloseable {
    private final Watch watch;
    private final Runnable late;
    private final AtomicLong at = new AtomicLong(NONE);

    private Deadline(Watch watch, Runnable late) {
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
      if (open && next < watch.wake) {
        LockSupport.unpark(watch.thread);
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
