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
public final class RelayPair implements RelayMember {
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
    loop.act(this, () -> finish(toOne, toOther));
  }

  /** Closes both connections at once. For any thread. */
  public void abort() {
    one.abort();
    other.abort();
  }

  @Override
  public void register(Selector selector) throws IOException {
    one.register(selector, this);
    other.register(selector, this);
    await();
  }

  private void await() {
    one.await(other);
    other.await(one);
  }

  @Override
  public void proceed(SelectionKey key, ByteBuffer buffer, long now) throws IOException {
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
  private void finish(byte[] toOne, byte[] toOther) throws IOException {
    one.end(toOne, other);
    other.end(toOther, one);
    await();
  }

  @Override
  public boolean isOver() {
    return one.isDone() && other.isDone();
  }

  @Override
  public boolean hasFailed(long now) {
    return now - used > idle || one.hasFailed(now) || other.hasFailed(now);
  }

  @Override
  public void cancel(Selector selector) {
    one.cancel();
    other.cancel();
  }

  @Override
  public void left() {
    one.restore();
    other.restore();
    boolean whole = isOver();
    VirtualThreadPool.SHARED.execute(() -> over.accept(whole));
  }
}
