package portcullis.http.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;

/**
 * The response to a request that has been sent, which may not come for long. For one thread at a time; {@link #get} is
 * called exactly once, as it ends what has been begun.
 */
public interface AwaitedResponse {
  /** Returns one that has come. */
  static AwaitedResponse of(HttpResponse<InputStream> response) {
    return () -> response;
  }

  /** Returns whether nothing came for a while, and it may be awaited without a thread. */
  default boolean isQuiet() {
    return false;
  }

  /**
   * Waits again, where it is quiet, and may not be left to no thread yet. A failure is that of {@link #get}, too.
   *
   * @return false if nothing came in that time
   */
  default boolean comes(int millis) {
    return true;
  }

  /**
   * Has an action run once {@link #get} no longer waits, at once if that is so already; called at most once.
   *
   * @param action run by any thread, perhaps twice; must not block
   */
  default void whenComes(Runnable action) {
    action.run();
  }

  /** Waits for the response; fails as the sending of the request does. */
  HttpResponse<InputStream> get() throws IOException, InterruptedException;
}
