package portcullis.http.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import portcullis.background.VirtualThreadPool;

/** Connections of which none is read until one of them has something, or its end. */
final class ChannelWait implements RelayMember, Runnable {
  private final RelayLoop loop;
  private final List<SocketChannel> channels;
  private final long end;
  private final Consumer<Boolean> over;
  private boolean ready;
  private boolean late;

  /**
   * @param end when the wait is over at the latest, by {@link System#nanoTime}
   * @param over called on a virtual thread, with whether nothing came until that time
   */
  ChannelWait(RelayLoop loop, List<SocketChannel> channels, long end, Consumer<Boolean> over) {
    this.loop = loop;
    this.channels = channels;
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
    for (SocketChannel channel : channels) {
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ, this);
    }
  }

  @Override
  public int channels() {
    return channels.size();
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
    boolean closed = false;
    for (SocketChannel channel : channels) {
      closed |= !channel.isOpen();
    }
    return late || closed;
  }

  @Override
  public void cancel(Selector selector) {
    channels.forEach(channel -> Optional.ofNullable(channel.keyFor(selector)).ifPresent(SelectionKey::cancel));
  }

  @Override
  public void left() {
    channels.forEach(ChannelWait::restore);
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
