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
  /** A read that takes longer than this has waited, unless it has decrypted or copied much. */
  private static final long WAIT_NANOS = TimeUnit.MICROSECONDS.toNanos(20);
  private static final long BYTE_NANOS = 8;
  /** After so many reads without a wait in a row the slice matters: a busy peer may be as quick a few times. */
  private static final int READS = 8;

  private long begin = System.nanoTime();
  private int reads;

  /** Gives way if the slice is over. Called behind each part of the work for which nothing had to be waited for. */
  public void check() {
    if (System.nanoTime() - begin >= NANOS) {
      giveWay();
    }
  }

  /**
   * The same behind a read, which begins a new slice if it has waited.
   *
   * @param since the time before it, as {@link System#nanoTime} returns it
   * @param bytes how many it has read
   */
  public void read(long since, int bytes) {
    long now = System.nanoTime();
    if (now - since >= WAIT_NANOS + bytes * BYTE_NANOS) {
      begin = now;
      reads = 0;
    } else if (++reads >= READS && now - begin >= NANOS) {
      giveWay();
    }
  }

  private void giveWay() {
    LockSupport.parkNanos(this, 1);
    begin = System.nanoTime();
    reads = 0;
  }
}
