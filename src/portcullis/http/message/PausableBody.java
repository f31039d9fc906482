package portcullis.http.message;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/** The body of a response of which nothing may come for long, so that no thread has to wait for it. For one thread. */
public interface PausableBody {
  /**
   * The connection of a paused body.
   *
   * @param longest for how long nothing may come
   */
  record Source(SocketChannel channel, Duration longest) {}

  /**
   * Waits a moment for the next of a body, or its end, as most upstreams send one part right behind the other, so that
   * both go out in one write. A failure is left to the next read, which has the same.
   *
   * @return false if nothing came in that time; of a body of another kind, if nothing is there
   */
  static boolean awaitBegin(InputStream body, int millis) {
    try {
      return body.available() != 0 || body instanceof PausableBody pausable && pausable.begins(millis);
    } catch (IOException _) {
      return true;
    }
  }

  /**
   * Waits until a read has something to do, whether all of the request has been sent or not. A failure is that of the
   * next read, too.
   *
   * @return false if nothing came in that time
   */
  boolean begins(int millis) throws IOException;

  /**
   * Waits until a read has something to do. A failure is that of the next read, too.
   *
   * @return false if nothing came in that time, and the body may be paused
   */
  boolean comes(int millis) throws IOException;

  /**
   * Returns whether it comes on a stream of a connection that others share, so that there is no channel to wait for.
   */
  boolean isShared();

  /**
   * Gives all buffers back after {@link #comes} has returned false: until {@link #resume} it is not read. For
   * one that is not shared.
   */
  Source pause();

  /**
   * The same for one that is shared.
   *
   * @param coming run by any thread once something has come, or nothing for too long, perhaps twice; must not block
   */
  void pause(Runnable coming);

  /** @param late whether nothing came for the longest time: then the body has failed */
  void resume(boolean late);

  /** Returns the trailer section, once all has been read; none before. */
  Fields trailers();
}
