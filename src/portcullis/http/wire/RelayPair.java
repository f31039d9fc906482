package portcullis.http.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** Two connections, each of whose input is the other's output. For the thread of its loop, but {@link #awaitEnd}. */
final class RelayPair {
  private final RelayEnd one;
  private final RelayEnd other;
  private final long idle;
  private final CountDownLatch end = new CountDownLatch(1);
  private long used = System.nanoTime();
  private volatile boolean whole;

  RelayPair(RelayEnding.Side one, RelayEnding.Side other, Duration idle) {
    this.one = new RelayEnd(one, other.direct().ahead(), used);
    this.other = new RelayEnd(other, one.direct().ahead(), used);
    this.idle = idle.toNanos();
  }

  /** Waits for the end on the caller's thread; returns whether both directions ended properly. */
  boolean awaitEnd() throws InterruptedException {
    end.await();
    return whole;
  }

  void register(Selector selector) throws IOException {
    one.register(selector, this);
    other.register(selector, this);
    await();
  }

  private void await() {
    one.await(other);
    other.await(one);
  }

  /**
   * Does what can be done without waiting.
   *
   * @param key whose connection is ready
   */
  void proceed(SelectionKey key, ByteBuffer buffer, long now) throws IOException {
    used = now;
    RelayEnd ready = one.owns(key) ? one : other;
    RelayEnd peer = ready == one ? other : one;
    boolean changed = key.isWritable() && ready.write(peer);
    changed |= key.isReadable() && ready.read(peer, buffer, now);
    if (changed) {
      await();
    }
  }

  /** Ends both outputs after the messages in progress. */
  void end(byte[] toOne, byte[] toOther) throws IOException {
    one.end(toOne, other);
    other.end(toOther, one);
    await();
  }

  boolean isOver() {
    return one.isDone() && other.isDone();
  }

  /** Returns whether a connection has failed, or nothing has passed for too long. */
  boolean hasFailed(long now) {
    return now - used > idle || one.hasFailed(now) || other.hasFailed(now);
  }

  void cancel() {
    one.cancel();
    other.cancel();
  }

  /** Ends the wait for the end, once the keys have been removed from the selector. */
  void finish() {
    one.restore();
    other.restore();
    whole = isOver();
    end.countDown();
  }
}
