package portcullis.http.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Optional;
import portcullis.http.message.Tunnel;

/**
 * One of two connections that are relayed: its input goes to the other one. For the thread of its loop; it reads no
 * more than the other end takes.
 */
final class RelayEnd {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();
  /** The number of reads before others have their turn. */
  private static final int TURNS = 4;

  private final SocketChannel channel;
  private final Tunnel.Owner owner;
  private final Duration writeLimit;
  private Optional<SelectionKey> key = Optional.empty();
  /** Bytes for this end that it has not taken yet: at most one read of the other. */
  private ByteBuffer rest;
  private long waitsSince;
  private final MessageBounds bounds;
  /** The last message for this end, once it is to be sent. */
  private Optional<byte[]> last = Optional.empty();
  private boolean lastTaken;
  private boolean inputEnded;
  private boolean outputEnded;

  /** @param first bytes for this end that have been read from the other */
  RelayEnd(ChannelRelay.Side side, byte[] first, long now) {
    this.channel = side.direct().channel();
    this.owner = side.direct().owner();
    this.writeLimit = side.direct().writeLimit();
    this.bounds = side.bounds();
    this.rest = first.length == 0 ? NOTHING : ByteBuffer.wrap(first);
    this.waitsSince = now;
  }

  void register(Selector selector, RelayPair pair) throws IOException {
    bounds.pass(rest.duplicate());
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
      int n = received(other, buffer.clear());
      if (n < 0) {
        inputEnded = true;
        other.endOutput(this);
        return true;
      }
      if (n == 0) {
        return false;
      }
      owner.used(now);
      if (!other.take(this, buffer.flip(), now)) {
        return true;
      }
      other.endOutput(this);
      if (n < buffer.capacity()) {
        return false;
      }
    }
    return false;
  }

  /** Reads; its end is reported to the one that follows what it sends. */
  private int received(RelayEnd other, ByteBuffer buffer) throws IOException {
    int n = -1;
    try {
      n = channel.read(buffer);
      return n;
    } finally {
      if (n < 0) {
        ended(other);
      }
    }
  }

  private void send(RelayEnd other, ByteBuffer bytes) throws IOException {
    boolean done = false;
    try {
      if (bytes.hasRemaining()) { // a channel whose output has ended fails where nothing is written, too
        channel.write(bytes);
      }
      done = true;
    } finally {
      if (!done) {
        ended(other);
      }
    }
  }

  private void ended(RelayEnd other) {
    other.bounds.end(!channel.isOpen() || channel.socket().isInputShutdown());
  }

  private boolean take(RelayEnd other, ByteBuffer received, long now) throws IOException {
    owner.used(now);
    ByteBuffer bytes = followed(received);
    send(other, bytes);
    if (!bytes.hasRemaining()) {
      return true;
    }
    rest = ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
    waitsSince = now;
    return false;
  }

  /** Returns what is passed on of these bytes: once it ends, no more than the message in progress. */
  private ByteBuffer followed(ByteBuffer bytes) {
    if (last.isEmpty()) {
      bounds.pass(bytes.duplicate());
      return bytes;
    }
    if (lastTaken) {
      return NOTHING.duplicate();
    }
    ByteBuffer message = bytes.duplicate();
    bounds.finish(message);
    message.flip().position(bytes.position());
    byte[] end = lastMessage();
    return ByteBuffer.allocate(message.remaining() + end.length).put(message).put(end).flip();
  }

  /** Returns the last message if it may follow now, or nothing. */
  private byte[] lastMessage() {
    lastTaken = bounds.isBetween();
    return lastTaken && bounds.isOpen() ? last.orElseThrow() : new byte[0];
  }

  /** Sends a last message after the one in progress, and ends the output; what comes later is discarded. */
  void end(byte[] message, RelayEnd other) throws IOException {
    last = Optional.of(message);
    byte[] end = lastMessage();
    rest = ByteBuffer.allocate(rest.remaining() + end.length).put(rest).put(end).flip();
    write(other);
  }

  /** Writes more of what is left; returns whether {@link #await} is to be called for both. */
  boolean write(RelayEnd other) throws IOException {
    send(other, rest);
    if (rest.hasRemaining()) {
      return false;
    }
    rest = NOTHING;
    endOutput(other);
    return true;
  }

  private void endOutput(RelayEnd other) throws IOException {
    if ((other.inputEnded || lastTaken) && !rest.hasRemaining() && !outputEnded) {
      channel.shutdownOutput();
      outputEnded = true; // not where it has been closed: then it has failed
    }
  }

  /** Returns whether nothing more comes from it. */
  boolean hasEnded() {
    return inputEnded;
  }

  /** Returns whether all that was for this end has been written, and its output has ended. */
  boolean isDone() {
    return outputEnded && (last.isEmpty() || inputEnded);
  }

  /** Returns whether something for the other end waits until that takes it. */
  boolean isSending() {
    return rest.hasRemaining();
  }

  /** Returns whether others have closed it, or it leaves unread what it is sent. */
  boolean hasFailed(long now) {
    return !channel.isOpen() || rest.hasRemaining() && now - waitsSince > writeLimit.toNanos();
  }

  void cancel() {
    key.ifPresent(SelectionKey::cancel);
  }

  /** Closes it, by any thread. */
  void abort() {
    try {
      ChannelRelay.wake(channel.socket());
      channel.close();
    } catch (IOException _) {
      // it is closed all the same
    }
  }

  /** Makes it fit for use by one thread again, once its key has been removed from the selector. */
  void restore() {
    ChannelWait.restore(channel);
  }
}
