package portcullis.http.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.function.Consumer;
import portcullis.background.VirtualThreadPool;

/**
 * Two connections, each of whose input is the other's output. For the thread of its loop, but {@link #end} and {@link
 * #abort}.
 */
public final class RelayPair {
  private final RelayEnd one;
  private final RelayEnd other;
  private final long idle;
  private final Consumer<Boolean> over;
  private final RelayLoop loop;
  private long used = System.nanoTime();

  /** @param over called once it has ended, with whether both directions ended properly */
  RelayPair(RelayLoop loop, ChannelRelay.Side one, ChannelRelay.Side other, Duration idle, Consumer<Boolean> over) {
    this.loop = loop;
    this.one = new RelayEnd(one, other.direct().ahead(), used);
    this.other = new RelayEnd(other, one.direct().ahead(), used);
    this.idle = idle.toNanos();
    this.over = over;
  }

  /** Sends each connection its last message after the one in progress, and ends the output. For any thread. */
  public void end(byte[] toOne, byte[] toOther) {
    loop.end(this, toOne, toOther);
  }

  /** Closes both connections at once. For any thread. */
  public void abort() {
    one.abort();
    other.abort();
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
  void finish(byte[] toOne, byte[] toOther) throws IOException {
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

  /** Reports the end on a thread of its own, once the keys have been removed from the selector. */
  void left() {
    one.restore();
    other.restore();
    boolean whole = isOver();
    VirtualThreadPool.SHARED.execute(() -> over.accept(whole));
  }
}
