package portcullis.serve.console;

import java.time.Duration;
import java.util.Optional;

/** Where the events of one reader come from. For one thread. */
public interface EventSource extends AutoCloseable {
  /**
   * Returns the next events in the form of {@code text/event-stream}; empty if there are none in this time. A reader
   * that is slow does not call it for a while, and gets what is new then.
   */
  Optional<byte[]> next(Duration wait) throws InterruptedException;

  @Override
  default void close() {
    // most have nothing to close
  }
}
