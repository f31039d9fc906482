package portcullis.observe.telemetry;

import java.util.concurrent.atomic.AtomicReferenceArray;

/** A pool of reusable line buffers. Thread safe and lock-free. */
public final class LineBufferPool {
  /** A power of two; with more requests in flight some buffers are allocated. */
  private static final int CAPACITY = 256;
  /** The distance between places, so that no two are in one cache line, which processors would take from each other. */
  private static final int APART = 16;
  private static final int BYTES = 1024;
  /** Larger buffers are not kept. */
  private static final int MAX_BYTES = 8 << 10;

  private final AtomicReferenceArray<LineBuffer> spares = new AtomicReferenceArray<>(CAPACITY * APART);

  /** Returns an empty buffer, which the caller owns until it releases it. */
  public LineBuffer take() {
    LineBuffer spare = spares.getAndSet(slot(), null);
    return spare == null ? new LineBuffer(BYTES) : spare.clear();
  }

  /** Returns a buffer to the pool. */
  public void release(LineBuffer line) {
    if (line.capacity() <= MAX_BYTES) {
      spares.setRelease(slot(), line); // a thread that does not see it yet allocates another one
    }
  }

  /** Threads have separate slots as far as there are enough. */
  private static int slot() {
    return ((int) Thread.currentThread().threadId() & CAPACITY - 1) * APART;
  }
}
