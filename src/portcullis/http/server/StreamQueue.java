package portcullis.http.server;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import portcullis.background.BackgroundTask;

/**
 * The requests of one connection that have not been begun, in the order in which they came. One at a time waits for a
 * processor, and sends the next to wait when it has got one. So a client with many requests does not delay those of
 * others that come after them, and one that takes its requests back does not cost much. Thread safe.
 */
final class StreamQueue<T> {
  private final Executor threads;
  private final Consumer<T> handler;
  private final ArrayDeque<T> waiting = new ArrayDeque<>();
  private boolean beginning;

  /** @param handler of a request, which may keep its thread for as long as it takes */
  StreamQueue(Executor threads, Consumer<T> handler) {
    this.threads = threads;
    this.handler = handler;
  }

  void add(T stream) {
    synchronized (this) {
      waiting.add(stream);
      if (beginning) {
        return;
      }
      beginning = true;
    }
    begin();
  }

  /** Takes back a request; false if it has been begun. */
  synchronized boolean remove(T stream) {
    return waiting.removeLastOccurrence(stream);
  }

  /** Takes back all that there are. */
  synchronized List<T> clear() {
    List<T> out = List.copyOf(waiting);
    waiting.clear();
    return out;
  }

  private void begin() {
    try {
      threads.execute(this::handle);
    } catch (RuntimeException | Error e) {
      synchronized (this) {
        beginning = false;
      }
      throw e;
    }
  }

  private void handle() {
    boolean alone = true;
    while (alone) {
      Optional<T> next = next();
      alone = next.isPresent() && !isPassedOn();
      next.ifPresent(stream -> BackgroundTask.guarded(() -> handler.accept(stream)));
    }
  }

  private synchronized Optional<T> next() {
    Optional<T> next = Optional.ofNullable(waiting.poll());
    beginning = next.isPresent();
    return next;
  }

  /** Returns whether the rest, if there is any, has another thread: this one goes on where there is no memory for it. */
  private boolean isPassedOn() {
    synchronized (this) {
      beginning = !waiting.isEmpty();
      if (!beginning) {
        return true;
      }
    }
    try {
      threads.execute(this::handle);
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }
}
