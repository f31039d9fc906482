package portcullis.http.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import portcullis.http.message.AddressText;
import portcullis.http.wire.ByteArrayPool;
import portcullis.http.wire.ChannelRelay;
import portcullis.http.wire.DeadlineTimer;
import portcullis.http.wire.WireInput;
import portcullis.http.wire.WireOutput;

/**
 * A client's connection, in TLS or not, with an end to every wait. Used by the thread that serves it, but for
 * {@link #drain}, {@link #drop} and the watch.
 */
final class Connection implements ClientWaits {
  private static final long LINGER_NANOS = 1_000_000_000L;
  private static final int LINGER_BYTES = 1 << 20;
  static final long FIRST_REQUEST_NANOS = 1_000_000_000L;

  private final Socket raw;
  private final Socket socket;
  private final InetSocketAddress peer;
  private final String client;
  private final InetSocketAddress local;
  private final Optional<SSLSession> session;
  private final DeadlineTimer watch;
  private final ServerLimits.Waits waits;
  private final ByteArrayPool spares;
  /** Empty while its exchange is paused. */
  private volatile Optional<ConnectionStreams> streams;
  private volatile Optional<ClientWaits> inside = Optional.empty();
  private volatile Optional<LastingConnection> lasting = Optional.empty();
  private volatile Optional<Http1Response> paused = Optional.empty();
  private volatile boolean lastResponse;
  private volatile boolean draining;
  private volatile boolean used;
  private volatile boolean endsOnDrain = true;
  private volatile Runnable onDrain = () -> {};

  /**
   * Takes over an accepted socket.
   *
   * @param raw what was accepted
   * @param socket the same, or TLS on it with its handshake done
   */
  Connection(Socket raw, Socket socket, DeadlineTimer watch, ServerLimits.Waits waits, ByteArrayPool spares)
      throws IOException {
    this.raw = raw;
    this.socket = socket;
    this.peer = (InetSocketAddress) raw.getRemoteSocketAddress();
    this.client = AddressText.of(peer.getAddress());
    this.local = (InetSocketAddress) raw.getLocalSocketAddress();
    this.session = socket instanceof SSLSocket tls ? Optional.of(tls.getSession()) : Optional.empty();
    this.watch = watch;
    this.waits = waits;
    this.spares = spares;
    this.streams = Optional.of(opened());
  }

  private ConnectionStreams opened() {
    return new ConnectionStreams(raw, socket, clear(), watch, waits, spares, this::endInput, this::drop);
  }

  /** Returns what is used while it is not paused. */
  ConnectionStreams streams() {
    return streams.orElseThrow();
  }

  WireInput input() {
    return streams().input();
  }

  WireOutput output() {
    return streams().output();
  }

  /** Returns the deadline for reading, which the reading code sets. */
  ReadDeadline pace() {
    return streams().pace();
  }

  ByteArrayPool spares() {
    return spares;
  }

  InetSocketAddress peer() {
    return peer;
  }

  /** Returns the peer's address. */
  String client() {
    return client;
  }

  InetSocketAddress local() {
    return local;
  }

  Optional<SSLSession> session() {
    return session;
  }

  /** Returns the protocol that TLS agreed on; empty for none. */
  String protocol() {
    return socket instanceof SSLSocket tls && tls.getApplicationProtocol() != null ? tls.getApplicationProtocol() : "";
  }

  boolean isDraining() {
    return draining;
  }

  /** Sets the waits for its client of the streams or the tunnel of the connection. */
  void waits(ClientWaits ofStreamsOrTunnel) {
    inside = Optional.of(ofStreamsOrTunnel);
  }

  @Override
  public Optional<ClientWait> connection() {
    return inside.isPresent() ? inside.get().connection()
        : streams.filter(used -> used.reads().isSet()).map(Connection::clientWait);
  }

  @Override
  public List<ClientWait> requests() {
    return inside.isPresent() ? inside.get().requests()
        : streams.filter(used -> used.reads().isSet() && used.pace().isBody()).map(Connection::clientWait).stream()
            .toList();
  }

  private static ClientWait clientWait(ConnectionStreams used) {
    return new ClientWait(used.pace().since(), used.pace().isSlow(), false, used.reads()::passNow);
  }

  /** Says whether a drain should end the connection right away: while no request is under way. */
  void endOnDrain(boolean yes) {
    used = true;
    endsOnDrain = yes;
    if (yes && draining) {
      endInput();
    }
  }

  /** Lets the next response of HTTP/1 say that it is the last; nothing ends before. */
  void endAfterResponse() {
    lastResponse = true;
  }

  /** Returns whether the next response of HTTP/1 is the last one. */
  boolean isLastResponse() {
    return lastResponse || draining;
  }

  /**
   * Asks for an end after the exchange that is under way. What has come already is still read, and a connection that
   * has had no request may still send its first one for a moment: it may be on its way.
   */
  void drain() {
    draining = true;
    onDrain.run();
    if (endsOnDrain && used) {
      endInput();
    } else if (endsOnDrain) {
      watch.deadline(this::endUnused).set(FIRST_REQUEST_NANOS);
    }
  }

  private void endUnused() {
    if (endsOnDrain) {
      endInput();
    }
  }

  /** Lets a drain do that instead of ending the connection; it must not block. */
  void onDrain(Runnable action) {
    endsOnDrain = false;
    onDrain = action;
    if (draining) {
      action.run();
    }
  }

  /**
   * Notices where the client leaves while its request is handled, until {@link #unwatchClient}.
   *
   * @param whole whether all of the request has been read
   * @param left run on disconnect, perhaps after the exchange has ended; must not block
   * @param upgrade whether the connection may become a tunnel
   */
  void watchClient(BooleanSupplier whole, Runnable left, boolean upgrade) {
    streams().leaving().begin(whole, left, upgrade);
  }

  /** To be sent before the connection is read again. */
  void unwatchClient() {
    streams().leaving().end();
  }

  /** Creates a deadline beside those for reading and writing; the caller closes it. */
  DeadlineTimer.Deadline deadline(Runnable late) {
    return watch.deadline(late);
  }

  /** Returns the channel of a connection without TLS that no thread reads now. */
  Optional<SocketChannel> channel() {
    return streams().timed().isUnread() ? clear() : Optional.empty();
  }

  private Optional<SocketChannel> clear() {
    return raw == socket ? Optional.ofNullable(raw.getChannel()) : Optional.empty();
  }

  /** Lets it outlast the handler of its exchange, as a tunnel. */
  LastingConnection outlast() {
    LastingConnection left = new LastingConnection(raw, Optional.of(this));
    lasting = Optional.of(left);
    return left;
  }

  /** The same, but leaves its channel to others, so that everything else of it can be forgotten. */
  LastingConnection handOver() {
    LastingConnection left = new LastingConnection(raw, Optional.empty());
    lasting = Optional.of(left);
    inside = Optional.of(left);
    output().release();
    streams().close();
    return left;
  }

  /** Returns what it has become where it outlasts the handler of its exchange. */
  Optional<LastingConnection> lasting() {
    return lasting;
  }

  /** Has something done at the end of an exchange: now, or once that has ended that outlasts its handler. */
  void afterwards(Runnable action) {
    if (paused.isPresent()) {
      paused.get().afterwards(action);
    } else {
      lasting.ifPresentOrElse(left -> left.afterwards(action), action);
    }
  }

  /**
   * Returns whether no thread reads it, so that its exchange can be paused; it may be after a while, and its client is
   * watched until then.
   */
  boolean canPause(Runnable left) {
    boolean can = mayRest() && !raw.isClosed();
    if (raw.isClosed()) {
      left.run();
    } else if (!can) {
      streams().watch(left, holdsInput());
    }
    return can;
  }

  /** Returns whether no thread reads it, and all that has come has been read; it may be after a while. */
  boolean mayRest() {
    boolean may = streams().isEmpty() && !holdsInput();
    if (!may) {
      streams().timed().endReadingAhead();
    }
    return may;
  }

  private boolean holdsInput() {
    return raw instanceof AcceptedSocket accepted && accepted.holdsInput();
  }

  /** Sets or ends the pause of its exchange. */
  void pause(Optional<Http1Response> exchange) {
    paused = exchange;
  }

  /** Returns what is left of the exchange that is paused, if one is. */
  Optional<Http1Response> paused() {
    return paused;
  }

  /**
   * Gives back what it needs only while it is used, and returns its channel.
   *
   * @throws IOException if it is used after all
   */
  SocketChannel rest() throws IOException {
    ConnectionStreams used = streams();
    used.leaving().end();
    if (!used.isEmpty()) {
      throw new IOException("the connection is read");
    }
    used.close();
    used.input().release(); // the exchange may still have the request's body, which has been read
    streams = Optional.empty();
    return raw.getChannel();
  }

  /** Is used again. @param left run if it has been closed meanwhile */
  void resume(Runnable left) {
    if (streams.isEmpty()) {
      streams = Optional.of(opened());
    }
    if (raw.isClosed()) {
      left.run();
    }
  }

  /** Returns how long the client may leave what is written unread. */
  Duration writeLimit() {
    return waits.write();
  }

  /** Returns whether its input has been ended by this program. */
  boolean isEndedHere() {
    return raw.isInputShutdown() || raw.isClosed();
  }

  /** Lets what has come still be read, and nothing more come. */
  void endInput() {
    try {
      raw.shutdownInput();
    } catch (IOException e) {
      drop();
    }
  }

  void endOutput() throws IOException {
    output().flush();
    socket.shutdownOutput();
  }

  /** Closes both directions; threads that wait for it fail. */
  void endBoth() {
    try {
      endOutput();
    } catch (IOException e) {
      // the peer has gone
    }
    endInput();
  }

  /**
   * Closes it in such a way that the peer can read all that was sent: what it still sends is taken for a while first,
   * as closing on unread bytes would reset the connection (RFC 9112, 9.6).
   */
  void close() {
    if (raw.isClosed()) {
      return;
    }
    if (lasting.isPresent() && lasting.get().isHandedOver()) {
      drop(); // others read it
      return;
    }
    try {
      output().flush();
      streams().writes().set(LINGER_NANOS);
      socket.shutdownOutput();
      raw.getInputStream().skip(LINGER_BYTES); // which reads on until there are as many, or the end
    } catch (IOException e) {
      // the other end does not read any more
    } finally {
      drop();
    }
  }

  /** Ends the request that is handled, and drops it. */
  void leave() {
    streams.ifPresent(open -> open.leaving().leave());
    drop();
  }

  /** Closes it at once; what was sent may be lost. */
  void drop() {
    streams.ifPresent(ConnectionStreams::close);
    try {
      ChannelRelay.wake(raw);
      raw.close();
    } catch (IOException e) {
      // closed it is all the same
    }
  }

  /** Closes it at once with a reset, so that its end is not mistaken for the end of a body. */
  void reset() {
    try {
      raw.setSoLinger(true, 0);
    } catch (IOException e) {
      // closed already
    }
    drop();
  }
}
