package portcullis.observe.telemetry;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * A place where many threads put lines side by side, none waiting for another, until it is sealed; then one thread
 * writes them. It is used once, its array again and again.
 */
final class LogChunk {
  private static final int SEALED = Integer.MIN_VALUE;
  private static final int LINE_SHIFT = 32;

  private final byte[] bytes;
  /** How many bytes are taken, and {@link #SEALED} once no more can be. */
  private final AtomicInteger taken = new AtomicInteger();
  /** How many lines, in the upper half, and bytes are there in full. */
  private final AtomicLong there = new AtomicLong();
  private final AtomicReference<Thread> waiting = new AtomicReference<>();
  private volatile boolean written;
  private volatile LogChunk next;

  LogChunk(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Puts what the line has from there on; false where it does not fit or the chunk is sealed. */
  boolean put(LineBuffer line, int from) {
    int length = line.length() - from;
    int at = taken.get();
    while (at >= 0 && length <= bytes.length - at) {
      if (taken.compareAndSet(at, at + length)) {
        line.copy(from, bytes, at);
        there.addAndGet(1L << LINE_SHIFT | length);
        return true;
      }
      at = taken.get();
    }
    return false;
  }

  boolean isEmpty() {
    return (taken.get() & ~SEALED) == 0;
  }

  /** Lets no more lines in. */
  void seal() {
    taken.getAndUpdate(bytes -> bytes | SEALED);
  }

  /** Whether all lines are there that have found a place; for a chunk that is sealed. */
  boolean isWhole() {
    return (int) there.get() == (taken.get() & ~SEALED);
  }

  int lines() {
    return (int) (there.get() >> LINE_SHIFT);
  }

  /** Returns how many lines are written in full. */
  int writeTo(LogOutput out) {
    return out.write(bytes, taken.get() & ~SEALED);
  }

  /** Lets go who waits for the chunk to be written, or for the attempt. */
  void written() {
    written = true;
    LockSupport.unpark(waiting.get());
  }

  /** Waits for {@link #written}, but not longer than that, and not where somebody else does already. */
  void await(long nanos) {
    long end = System.nanoTime() + nanos;
    if (!waiting.compareAndSet(null, Thread.currentThread())) {
      return;
    }
    for (long left = nanos; !written && left > 0
        && !Thread.currentThread().isInterrupted(); left = end - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
    }
  }

  /** The array, for another chunk; this one is not used any more. */
  byte[] array() {
    return bytes;
  }

  /** The chunk that takes lines after this one; null as long as there is none. */
  LogChunk next() {
    return next;
  }

  void next(LogChunk chunk) {
    next = chunk;
  }
}
