package portcullis.http.message;

import java.io.OutputStream;
import java.util.function.Consumer;

/**
 * The response of an exchange from its head on: all that its body needs, so that nothing else has to be kept for one
 * that lasts. For one thread, but {@link #abort} may be called by any.
 */
public interface RunningResponse {
  /** Returns where the body goes. */
  OutputStream getResponseBody();

  /** Sets the trailer section; without effect once the body's stream is closed. */
  void trail(Fields trailers);

  /** Returns an array of at least 16 KiB for copying a body, from a pool; see {@link #recycle}. */
  byte[] room();

  /** Returns an array to the pool, at most once; the caller must not use it afterwards. */
  void recycle(byte[] room);

  /**
   * Returns whether {@link #pause} is possible by the kind of its connection, and as the client has not sent the next
   * request already: if not, it will not be later.
   */
  default boolean mayPause() {
    return false;
  }

  /**
   * Returns whether {@link #pause} is possible now, or {@link WireExchange#suspend} before the response has begun. If
   * not, it may be after a while: this is to be called again.
   */
  default boolean canPause() {
    return false;
  }

  /**
   * Pauses the exchange, all of whose response up to now has been flushed: its handler may return without having ended
   * it.
   *
   * @param source with which the response goes on
   * @param action run on another thread once something has come, or the client sends something or leaves, or the
   *     exchange is aborted, with whether nothing came for the longest time; pauses the exchange again, or ends it
   * @return what is left of the exchange, and is to be used instead of it from now on
   */
  default RunningResponse pause(PausableBody source, Consumer<Boolean> action) {
    throw new UnsupportedOperationException("an exchange that cannot be paused");
  }

  /** Aborts the connection (HTTP/2: the stream), so that the client does not take what was sent for a whole message. */
  void abort();
}
