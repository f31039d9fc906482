package portcullis.http.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
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
  private final long halfOpen;
  private final Consumer<Outcome> over;
  private final RelayLoop loop;
  private long used = System.nanoTime();
  private boolean isIdle;

  /** How a pair has ended. */
  public enum Outcome {
    /** Both directions have ended. */
    WHOLE,
    /** Nothing has passed for too long, and neither side had ended. */
    IDLE,
    /** A connection has failed or was closed, or the second direction has not ended in time. */
    FAILED
  }

  /** See {@link ChannelRelay#begin}. */
  RelayPair(RelayLoop loop, ChannelRelay.Side one, ChannelRelay.Side other, ChannelRelay.Limits limits,
      Consumer<Outcome> over) {
    this.loop = loop;
    this.one = new RelayEnd(one, other.direct().ahead(), used);
    this.other = new RelayEnd(other, one.direct().ahead(), used);
    this.idle = limits.idle().toNanos();
    this.halfOpen = limits.halfOpen().toNanos();
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
  public int channels() {
    return 2;
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
    boolean hasFailed = one.hasFailed(now) || other.hasFailed(now);
    boolean isHalfOpen = (one.hasEnded() || other.hasEnded()) && !one.isSending() && !other.isSending();
    boolean isQuiet = now - used > (isHalfOpen ? Math.min(halfOpen, idle) : idle);
    isIdle = isQuiet && !isHalfOpen && !hasFailed;
    return isQuiet || hasFailed;
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
    Outcome outcome = isOver() ? Outcome.WHOLE : isIdle ? Outcome.IDLE : Outcome.FAILED;
    VirtualThreadPool.SHARED.execute(() -> over.accept(outcome));
  }
}
