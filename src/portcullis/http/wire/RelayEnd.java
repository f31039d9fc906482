package portcullis.http.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import portcullis.http.message.Tunnel;

/**
 * One of two connections that are relayed: its input goes to the other one. For the thread of its loop; it reads no
 * more than the other end takes.
 */
final class RelayEnd {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();
  /** How often it is read before others have their turn. */
  private static final int TURNS = 4;

  private final Tunnel.Direct direct;
  private final SocketChannel channel;
  private Optional<SelectionKey> key = Optional.empty();
  /** Bytes for this end that it has not taken yet: at most one read of the other. */
  private ByteBuffer rest;
  private long waitsSince;
  private boolean inputEnded;
  private boolean outputEnded;

  /** @param first bytes for this end that have been read from the other */
  RelayEnd(Tunnel.Direct direct, byte[] first, long now) {
    this.direct = direct;
    this.channel = direct.channel();
    this.rest = first.length == 0 ? NOTHING : ByteBuffer.wrap(first);
    this.waitsSince = now;
  }

  void register(Selector selector, RelayPair pair) throws IOException {
    channel.configureBlocking(false);
    key = Optional.of(channel.register(selector, 0, pair));
  }

  boolean owns(SelectionKey one) {
    return key.isPresent() && key.get() == one;
  }

  /** Waits for what can be done next. */
  void await(RelayEnd other) {
    int read = inputEnded || other.rest.hasRemaining() ? 0 : SelectionKey.OP_READ;
    int write = rest.hasRemaining() ? SelectionKey.OP_WRITE : 0;
    key.orElseThrow().interestOps(read | write);
  }

  /**
   * Copies what has come to the other end.
   *
   * @return whether {@link #await} is to be called for both
   */
  boolean read(RelayEnd other, ByteBuffer buffer, long now) throws IOException {
    for (int i = 0; i < TURNS; i++) {
      int n = channel.read(buffer.clear());
      if (n < 0) {
        inputEnded = true;
        other.endOutput(this);
        return true;
      }
      if (n == 0) {
        return false;
      }
      direct.used().accept(now);
      if (!other.take(buffer.flip(), now)) {
        return true;
      }
      if (n < buffer.capacity()) {
        return false;
      }
    }
    return false;
  }

  private boolean take(ByteBuffer bytes, long now) throws IOException {
    direct.used().accept(now);
    channel.write(bytes);
    if (!bytes.hasRemaining()) {
      return true;
    }
    rest = ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
    waitsSince = now;
    return false;
  }

  /** Writes more of what is left; returns whether {@link #await} is to be called for both. */
  boolean write(RelayEnd other) throws IOException {
    channel.write(rest);
    if (rest.hasRemaining()) {
      return false;
    }
    rest = NOTHING;
    endOutput(other);
    return true;
  }

  private void endOutput(RelayEnd other) throws IOException {
    if (other.inputEnded && !rest.hasRemaining() && !outputEnded) {
      outputEnded = true;
      channel.shutdownOutput();
    }
  }

  /** Returns whether all that was for this end has been written, and its output has ended. */
  boolean isDone() {
    return outputEnded;
  }

  /** Returns whether others have closed it, or it leaves unread what it is sent. */
  boolean hasFailed(long now) {
    return !channel.isOpen() || rest.hasRemaining() && now - waitsSince > direct.writeLimit().toNanos();
  }

  void cancel() {
    key.ifPresent(SelectionKey::cancel);
  }

  /** Makes it fit for use by one thread again, once its key has been removed from the selector. */
  void restore() {
    try {
      channel.configureBlocking(true);
    } catch (IOException | IllegalStateException _) {
      // it has been closed
    }
  }
}
