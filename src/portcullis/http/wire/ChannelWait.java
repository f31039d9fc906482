package portcullis.http.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.function.Consumer;
import portcullis.background.VirtualThreadPool;

/** Two connections of which nobody reads either until one of them has something, or its end. */
final class ChannelWait implements RelayMember, Runnable {
  private final RelayLoop loop;
  private final SocketChannel one;
  private final SocketChannel other;
  private final long end;
  private final Consumer<Boolean> over;
  private boolean ready;
  private boolean late;

  /**
   * @param end when the wait is over at the latest, by {@link System#nanoTime}
   * @param over called on a virtual thread, with whether nothing came until that time
   */
  ChannelWait(RelayLoop loop, SocketChannel one, SocketChannel other, long end, Consumer<Boolean> over) {
    this.loop = loop;
    this.one = one;
    this.other = other;
    this.end = end;
    this.over = over;
  }

  /** Ends the wait. For any thread. */
  @Override
  public void run() {
    loop.act(this, () -> ready = true);
  }

  @Override
  public void register(Selector selector) throws IOException {
    register(one, selector);
    register(other, selector);
  }

  private void register(SocketChannel channel, Selector selector) throws IOException {
    channel.configureBlocking(false);
    channel.register(selector, SelectionKey.OP_READ, this);
  }

  @Override
  public void proceed(SelectionKey key, ByteBuffer buffer, long now) {
    ready = true;
  }

  @Override
  public boolean isOver() {
    return ready;
  }

  @Override
  public boolean hasFailed(long now) {
    late = now - end >= 0;
    return late || !one.isOpen() || !other.isOpen();
  }

  @Override
  public void cancel(Selector selector) {
    Optional.ofNullable(one.keyFor(selector)).ifPresent(SelectionKey::cancel);
    Optional.ofNullable(other.keyFor(selector)).ifPresent(SelectionKey::cancel);
  }

  @Override
  public void left() {
    restore(one);
    restore(other);
    boolean nothingCame = late && !ready;
    VirtualThreadPool.SHARED.execute(() -> over.accept(nothingCame));
  }

  /** Makes it fit for use by one thread again. */
  static void restore(SocketChannel channel) {
    try {
      channel.configureBlocking(true);
    } catch (IOException | IllegalStateException _) {
      // it has been closed
    }
  }
}
