package portcullis.http.server;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The file descriptors that the servers of a process share: where one of them gets no more, all of them give up
 * connections that wait for their clients. For any threads.
 */
public final class Descriptors {
  private static final int LEAST = 8;
  private static final int PORTION = 16;

  private final List<ConnectionRegistry> registries = new CopyOnWriteArrayList<>();

  void share(ConnectionRegistry registry) {
    registries.add(registry);
  }

  void leave(ConnectionRegistry registry) {
    registries.remove(registry);
  }

  /** Returns whether an operation failed for lack of file descriptors or other resources of sockets. */
  static boolean areMissing(Throwable error) {
    String reason = String.valueOf(error.getMessage());
    return reason.contains("Too many open files") || reason.contains("No buffer space")
        || reason.contains("Cannot allocate");
  }

  /** Ends the connections that have waited longest, a sixteenth of all but some at least; returns how many. */
  int shed() {
    int open = 0;
    List<LoadShedder.Candidate> waiting = new ArrayList<>();
    for (ConnectionRegistry registry : registries) {
      open += registry.size();
      waiting.addAll(registry.waitingConnections());
    }
    return LoadShedder.end(waiting, Math.max(LEAST, open / PORTION));
  }
}
