package portcullis.background;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The time slice of a virtual thread that may never have to wait, as its peer sends without a pause. The scheduler
 * takes a processor from no virtual thread. Where one yields, it goes to the end of the queue of its own processor, and
 * as long as that queue has threads, no others get this processor: new ones, those whose time has passed, those that
 * wait for their sockets. So at the end of its slice a thread waits for a moment, and then where all others do. For one
 * thread at a time.
 */
public final class TimeSlice {
  private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  /** What takes longer than this has been a wait. */
  private static final long WAIT_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

  private long begin = System.nanoTime();
  private long last = begin;

  /** Lets others have a processor if the slice is over. Called again and again, at least before each possible wait. */
  public void check() {
    long now = System.nanoTime();
    if (now - begin >= NANOS) {
      LockSupport.parkNanos(this, 1);
      now = System.nanoTime();
      begin = now;
    }
    last = now;
  }

  /** Begins a new slice if it took long since the last check: then the thread has waited. */
  public void waited() {
    long now = System.nanoTime();
    if (now - last >= WAIT_NANOS) {
      begin = now;
    }
  }
}
