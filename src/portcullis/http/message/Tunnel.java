package portcullis.http.message;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/** A connection that has left HTTP by an upgrade (RFC 9110, 7.8): bytes both ways until it is closed. */
public interface Tunnel extends AutoCloseable {
  InputStream input();

  /** Returns the output; every write is sent at once. */
  OutputStream output();

  /** Sets the timeout of reads, which then fail with {@link java.net.SocketTimeoutException}. */
  void idleLimit(Duration limit) throws IOException;

  /** Sets the timeout of the next read alone, as {@link #idleLimit} does of all. */
  default void readLimit(Duration limit) throws IOException {}

  /** Returns whether all that has come has been read, so that {@link #rest} is possible; it may be after a while. */
  default boolean mayRest() {
    return false;
  }

  /**
   * Gives back what it needs only while it is used, and returns its channel: until {@link #resume} it is neither read
   * nor written, but may be aborted.
   */
  default SocketChannel rest() throws IOException {
    throw new UnsupportedOperationException("a tunnel that cannot rest");
  }

  /** Is used again, where it has rested. */
  default void resume() {}

  /**
   * The connection below a tunnel, for a thread that serves many.
   *
   * @param ahead bytes that have been read from the channel already
   * @param writeLimit how long the other end may leave what is written unread
   */
  record Direct(SocketChannel channel, byte[] ahead, Duration writeLimit, Owner owner) {}

  /** What a connection belongs to that outlasts the handler of its exchange. For any threads. */
  interface Owner {
    /** Called when bytes have passed. @param now by {@link System#nanoTime} */
    default void used(long now) {}

    /** Closes the connection, which is not used any more, and ends the exchange. */
    void close();
  }

  /** Lets it outlast the handler of its exchange, which may return before the owner is asked to close it. */
  Owner outlast();

  /** Returns whether {@link #direct} is possible: bytes are passed unchanged (no TLS), and no other thread reads. */
  boolean isDirect();

  /**
   * Hands over the connection, which outlasts the handler of the exchange. Of the tunnel itself nothing but {@link
   * #close} may be used any more.
   */
  Direct direct();

  /** Returns whether its input has been ended by this program, as at its stop, and not by the other end. */
  default boolean isEndedHere() {
    return false;
  }

  /** Ends the output; the other direction remains open. */
  void endOutput() throws IOException;

  /** Closes it at once, whatever is still being written; by any thread. */
  default void abort() {
    close();
  }

  @Override
  void close();
}
