package portcullis.background;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * The JVM's poller, through which virtual threads wait for sockets. It opens its descriptors when the first one waits.
 * If they could not be opened then, because clients have taken all descriptors, no virtual thread could wait for a
 * socket until the process ends.
 */
public final class SocketPoller {
  private SocketPoller() {}

  /** Opens it, unless that is done, before clients are accepted. */
  public static void open() throws IOException {
    FutureTask<Integer> wait = new FutureTask<>(() -> {
      try (Selector none = Selector.open()) {
        return none.select(1);
      }
    });
    Thread.ofVirtual().name("socket poller").start(wait);
    try {
      wait.get();
    } catch (ExecutionException e) {
      throw new IOException("the poller of sockets cannot be opened: " + cause(e).getMessage(), e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** The error of the system, where the JVM wraps it as a class that could not be initialized. */
  private static Throwable cause(Throwable error) {
    Throwable cause = error;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }
}
