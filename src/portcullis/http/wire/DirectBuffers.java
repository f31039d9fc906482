package portcullis.http.wire;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * A bounded number of buffers outside the heap for bodies that come faster than they can be sent on. A caller that gets
 * none copies in smaller pieces. For any threads.
 */
public final class DirectBuffers {
  /** The bytes of a buffer. */
  public static final int SIZE = 256 * 1024;
  private static final int MOST = 16;

  private final Deque<ByteBuffer> spares = new ArrayDeque<>(MOST);
  private int made;

  /** Returns an empty buffer for the caller until it is given back; none where all are in use. */
  public synchronized Optional<ByteBuffer> take() {
    if (spares.isEmpty() && made < MOST) {
      made++;
      return Optional.of(ByteBuffer.allocateDirect(SIZE));
    }
    return Optional.ofNullable(spares.pollLast()).map(ByteBuffer::clear);
  }

  /** Takes a buffer back, once. */
  public synchronized void give(ByteBuffer buffer) {
    spares.addLast(buffer);
  }
}
