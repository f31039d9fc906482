package portcullis.http.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/** Connections that a loop serves together. For the thread of the loop. */
interface RelayMember {
  /** Registers its channels, with itself as the attachment of the keys. */
  void register(Selector selector) throws IOException;

  /** Returns how many channels it has. */
  int channels();

  /**
   * Does what can be done without waiting.
   *
   * @param key whose connection is ready
   */
  void proceed(SelectionKey key, ByteBuffer buffer, long now) throws IOException;

  boolean isOver();

  /** Returns whether a connection has failed, or nothing has passed for too long. */
  boolean hasFailed(long now);

  /** Cancels its keys. */
  void cancel(Selector selector);

  /** Reports the end on a thread of its own, once the keys have been removed from the selector. */
  void left();
}
