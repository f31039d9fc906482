package portcullis.http.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import portcullis.http.wire.ChannelRelay;

/**
 * A byte connection, plain or TLS. One thread reads, another may write; {@link #abort} may be called by any. A thread
 * that waits in it is woken by an interrupt, which ends the connection.
 */
final class Transport {
  private final SocketChannel channel;
  private final Socket socket;
  private final InputStream input;
  private final OutputStream output;
  /** Made when the connection is used again, which a tunnel never is. */
  private Optional<ByteBuffer> probe = Optional.empty();

  /** Creates a transport over a connected channel; the socket is that of the channel or one of TLS above it. */
  Transport(SocketChannel channel, Socket socket) throws IOException {
    this.channel = channel;
    this.socket = socket;
    this.input = socket.getInputStream();
    this.output = socket instanceof SSLSocket ? socket.getOutputStream() : new ChannelOutput(channel);
  }

  InputStream input() {
    return input;
  }

  /** Every write goes out at once. */
  OutputStream output() {
    return output;
  }

  /** Returns the application protocol that TLS agreed on, or none (RFC 7301). */
  String protocol() {
    return socket instanceof SSLSocket tls && tls.getApplicationProtocol() != null ? tls.getApplicationProtocol() : "";
  }

  Optional<SSLSession> session() {
    return socket instanceof SSLSocket tls ? Optional.of(tls.getSession()) : Optional.empty();
  }

  /**
   * Returns whether the peer has neither closed the connection nor sent anything; never waits. For an unused connection
   * only.
   */
  boolean isQuiet() {
    try {
      channel.configureBlocking(false);
      ByteBuffer room = probe.orElseGet(() -> ByteBuffer.allocateDirect(1)).clear();
      probe = Optional.of(room);
      int n = channel.read(room);
      channel.configureBlocking(true);
      return n == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the channel, below TLS if there is any. */
  SocketChannel channel() {
    return channel;
  }

  /** Returns whether bytes pass the channel unchanged. */
  boolean isClear() {
    return !(socket instanceof SSLSocket);
  }

  /** Sets the timeout of reads, which then fail with {@link java.net.SocketTimeoutException} and can be repeated. */
  void idleLimit(Duration limit) throws IOException {
    socket.setSoTimeout(Math.clamp(limit.toMillis(), 1, Integer.MAX_VALUE));
  }

  /** Sets the timeout of reads in milliseconds; zero for none. */
  void readLimit(int millis) throws IOException {
    socket.setSoTimeout(millis);
  }

  void endOutput() throws IOException {
    socket.shutdownOutput();
  }

  /** Ends an unused connection, with TLS as its peer expects it. */
  void close() {
    if (socket instanceof SSLSocket) {
      Thread.ofVirtual().name("client-close").start(this::closeTls);
    } else {
      abort();
    }
  }

  private void closeTls() {
    try {
      socket.close();
    } catch (IOException e) {
      abort();
    }
  }

  /** Closes the connection at once; reads and writes in progress fail. */
  void abort() {
    drop(channel);
  }

  /** Closes a channel; that this may fail changes nothing. */
  static void drop(SocketChannel channel) {
    try {
      ChannelRelay.wake(channel.socket());
      channel.close();
    } catch (IOException e) {
      // it is closed all the same
    }
  }
}
