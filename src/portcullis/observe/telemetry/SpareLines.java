package portcullis.observe.telemetry;

import java.util.concurrent.atomic.AtomicReferenceArray;

/** Buffers that are used again and again, each by one thread at a time; thread safe, without waiting. */
final class SpareLines {
  /** A power of two: beyond as many requests in flight, some have their buffers made anew. */
  private static final int MOST = 256;
  private static final int BYTES = 1024;
  /** Greater ones are left to the collector. */
  private static final int MOST_BYTES = 8 << 10;

  private final AtomicReferenceArray<LineBuffer> spares = new AtomicReferenceArray<>(MOST);

  /** One that is empty, and the caller's until it is given back. */
  LineBuffer take() {
    LineBuffer spare = spares.getAndSet(place(), null);
    return spare == null ? new LineBuffer(BYTES) : spare.clear();
  }

  void give(LineBuffer line) {
    if (line.capacity() <= MOST_BYTES) {
      spares.set(place(), line);
    }
  }

  /** Threads of connections have places of their own as far as there are enough. */
  private static int place() {
    return (int) Thread.currentThread().threadId() & MOST - 1;
  }
}
