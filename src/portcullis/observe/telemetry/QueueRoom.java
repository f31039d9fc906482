package portcullis.observe.telemetry;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The room for lines that wait to be written, limited by their number and bytes: one counter for both. Thread safe. */
final class QueueRoom {
  private static final int LINE_SHIFT = 40;
  private static final long BYTES = (1L << LINE_SHIFT) - 1;
  private static final long MAX_BYTES = BYTES >> 1;
  /** About as many bytes as the shortest lines have. */
  private static final int SHORTEST_LINE = 256;

  private final int maxLines;
  private final long maxBytes;
  /** Lines in the upper bits, bytes below. */
  private final AtomicLong used = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition freed = lock.newCondition();
  private volatile int waiting;

  /** @param maxBytes at most 512 GiB */
  QueueRoom(int maxLines, long maxBytes) {
    this.maxLines = maxLines;
    this.maxBytes = Math.min(maxBytes, MAX_BYTES);
  }

  /** Takes room if there is enough. */
  boolean take(int lines, int bytes) {
    long packed = packed(lines, bytes);
    long now = used.addAndGet(packed);
    if (now >>> LINE_SHIFT <= maxLines && (now & BYTES) <= maxBytes) {
      return true;
    }
    used.addAndGet(-packed);
    return false;
  }

  /** Takes room for bytes whether or not there is any. */
  void takeAnyway(int bytes) {
    used.addAndGet(bytes);
  }

  /** Takes room, and waits for it if there is not enough; returns false if there was none in time. */
  boolean take(int lines, int bytes, long nanos) throws InterruptedException {
    return take(lines, bytes) || await(lines, bytes, nanos);
  }

  private boolean await(int lines, int bytes, long nanos) throws InterruptedException {
    lock.lockInterruptibly();
    waiting++;
    try {
      long left = nanos;
      boolean taken = take(lines, bytes);
      while (!taken && left > 0) {
        left = freed.awaitNanos(left);
        taken = take(lines, bytes);
      }
      return taken;
    } finally {
      waiting--;
      lock.unlock();
    }
  }

  void release(int lines, int bytes) {
    used.addAndGet(-packed(lines, bytes));
    if (waiting > 0) {
      lock.lock();
      try {
        int most = Math.max(lines, bytes / SHORTEST_LINE);
        for (int i = 0; i < most && lock.hasWaiters(freed); i++) {
          freed.signal(); // as many as may find room: there may be thousands of others
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /** Returns how many lines have room. */
  int lines() {
    return (int) (used.get() >>> LINE_SHIFT);
  }

  /** Returns how many threads wait for room. */
  int waiting() {
    return waiting;
  }

  /** Returns how many bytes have room. */
  long bytes() {
    return used.get() & BYTES;
  }

  private static long packed(int lines, int bytes) {
    return ((long) lines << LINE_SHIFT) + bytes;
  }
}
