package portcullis.observe.telemetry;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A buffer into which many threads copy lines without waiting for each other until it is sealed; then one thread writes
 * them. A chunk is used once, its buffer is reused.
 */
final class LogChunk {
  private static final int SEALED = Integer.MIN_VALUE;
  private static final int LINE_SHIFT = 32;

  private final ByteBuffer bytes;
  /** The number of allocated bytes, with {@link #SEALED} set once no more can be allocated. */
  private final AtomicInteger allocated = new AtomicInteger();
  /** The number of completely copied lines, in the upper half, and bytes. */
  private final AtomicLong complete = new AtomicLong();
  private volatile LogChunk next;

  LogChunk(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  /** Copies the line from a position on; returns false if it does not fit or the chunk is sealed. */
  boolean put(LineBuffer line, int from) {
    int length = line.length() - from;
    int at = allocated.get();
    while (at >= 0 && length <= bytes.capacity() - at) {
      if (allocated.compareAndSet(at, at + length)) {
        line.copy(from, bytes, at);
        complete.addAndGet(1L << LINE_SHIFT | length);
        return true;
      }
      at = allocated.get();
    }
    return false;
  }

  boolean isEmpty() {
    return length() == 0;
  }

  /** Prevents further lines. */
  void seal() {
    allocated.getAndUpdate(bytes -> bytes | SEALED);
  }

  /** Returns whether all lines of a sealed chunk are completely copied. */
  boolean isComplete() {
    return (int) complete.get() == length();
  }

  int lines() {
    return (int) (complete.get() >> LINE_SHIFT);
  }

  /** Returns the number of bytes. */
  int length() {
    return allocated.get() & ~SEALED;
  }

  /** Returns how many lines were written completely. */
  int writeTo(LogOutput out) {
    return out.write(bytes, length(), lines());
  }

  /** Returns the buffer for another chunk, when this one is no longer used. */
  ByteBuffer buffer() {
    return bytes;
  }

  /** Returns the next chunk; null if there is none yet. */
  LogChunk next() {
    return next;
  }

  void next(LogChunk chunk) {
    next = chunk;
  }
}
