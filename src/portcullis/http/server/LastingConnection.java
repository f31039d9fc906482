package portcullis.http.server;

import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import portcullis.http.message.Tunnel;
import portcullis.http.wire.ChannelRelay;

/**
 * What a connection after 101 becomes that outlasts the handler of its exchange. Of one whose channel others use,
 * nothing is left but the socket and what is to be done at its end, as there may be many that say nothing for hours.
 * While nothing passes either way it waits for its client, which is expected of a tunnel. For any threads.
 */
final class LastingConnection implements Tunnel.Owner, ClientWaits {
  /** How long a drain leaves a tunnel to others, who may end it with a last message. */
  static final long LAST_MESSAGE_NANOS = 1_500_000_000L;
  private static final Runnable NOTHING = () -> {};
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Socket socket;
  private final Optional<Connection> whole;
  private Runnable afterwards = NOTHING;
  private boolean closed;
  private volatile long used = System.nanoTime();

  /** @param whole the connection, where it is used through its tunnel */
  LastingConnection(Socket socket, Optional<Connection> whole) {
    this.socket = socket;
    this.whole = whole;
  }

  /** Returns whether others use its channel, so that nothing else of it is needed. */
  boolean isHandedOver() {
    return whole.isEmpty();
  }

  /** Has something done once it is closed, or now if it is. */
  void afterwards(Runnable action) {
    if (!isAwaited(action)) {
      action.run();
    }
  }

  private synchronized boolean isAwaited(Runnable action) {
    Runnable before = afterwards;
    if (!closed) {
      afterwards = before == NOTHING ? action : () -> {
        before.run();
        action.run();
      };
    }
    return !closed;
  }

  @Override
  public void used(long now) {
    used = now;
  }

  /** Returns the wait; empty within a second after the last byte. */
  @Override
  public Optional<ClientWait> connection() {
    long since = used;
    return System.nanoTime() - since < QUIET_NANOS ? Optional.empty()
        : Optional.of(new ClientWait(since, false, true, this::drop));
  }

  @Override
  public List<ClientWait> requests() {
    return connection().stream().toList();
  }

  /** Lets what has come still be passed on, and nothing more come. */
  void drain() {
    try {
      socket.shutdownInput();
    } catch (IOException e) {
      drop();
    }
  }

  /** Closes the socket at once, which whoever relays it notices. */
  void drop() {
    try {
      ChannelRelay.wake(socket);
      socket.close();
    } catch (IOException e) {
      // closed it is all the same
    }
  }

  @Override
  public void close() {
    whole.ifPresent(Connection::endBoth);
    whole.ifPresentOrElse(Connection::close, this::drop);
    ended().run();
  }

  private synchronized Runnable ended() {
    Runnable due = closed ? NOTHING : afterwards;
    closed = true;
    return due;
  }
}
